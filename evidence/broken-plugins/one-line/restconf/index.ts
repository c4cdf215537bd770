import { plugin as honest } from '../../../../plugins/restconf/index.js';
import { inOneLine } from '../in-one-line.js';

/** See `inOneLine`. */
export const plugin = inOneLine(honest);
