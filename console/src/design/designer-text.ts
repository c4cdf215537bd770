import { textOf } from '../text/text.js';

/** The messages of the area `designer`. */
export const text = textOf('designer');
