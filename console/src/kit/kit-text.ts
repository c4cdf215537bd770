import { textOf } from '../text/text.js';

export const text = textOf('kit');
