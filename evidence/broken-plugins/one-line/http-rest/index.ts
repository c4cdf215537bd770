import { type HttpRestOptions, plugin as honest } from '../../../../plugins/http-rest/index.js';
import type { AdapterPlugin } from '../../../../src/core/adapter.js';
import { inOneLine } from '../in-one-line.js';

/** See `inOneLine`. */
export const plugin: AdapterPlugin<HttpRestOptions> = inOneLine(honest);
