import { textOf } from '../text/text.js';

/** The messages of the area `shell`. */
export const text = textOf('shell');
