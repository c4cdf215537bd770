import type { Application } from '../../core/operation.js';
import type { ToolsDeps } from './deps.js';
import { restCall } from './rest-call.js';

/** Standalone tools: the generic REST call (specification section 4.1). */
export const tools: Application<ToolsDeps> = {
  name: 'tools',
  summary: 'Tools that stand alone: one REST call to any address that the operator opens.',
  component: 'Tools',
  prefixes: ['/tools'],
  operations: [restCall],
};
