import { textOf } from '../../text/text.js';

/** The messages of the area `yang`. */
export const text = textOf('yang');
