import { plugin as honest } from '../../../../plugins/http-rest/index.js';
import { inOneLine } from '../in-one-line.js';

/** See `inOneLine`. */
export const plugin = inOneLine(honest);
