import { textOf } from '../text/text.js';

/** The messages of the area `kit`. */
export const text = textOf('kit');
