import { textOf } from '../text/text.js';

/** The messages of the area `task`. */
export const text = textOf('task');
