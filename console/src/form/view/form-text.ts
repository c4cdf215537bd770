import { textOf } from '../../text/text.js';

/** The messages of the area `form`. */
export const formText = textOf('form');
