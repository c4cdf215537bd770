import type { Application } from '../../core/operation.js';
import type { DocumentationDeps } from './deps.js';
import { getDocs } from './get-docs.js';
import { getOpenApi } from './get-open-api.js';

/** Description of the API, generated from its operations, for programs and for people (wire 1.5). */
export const documentation: Application<DocumentationDeps> = {
  name: 'documentation',
  summary: 'This description, for programs and for people.',
  prefixes: [''],
  operations: [getOpenApi, getDocs],
};
