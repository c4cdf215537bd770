import { textOf } from '../../text/text.js';

export const formText = textOf('form');
