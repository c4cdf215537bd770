import type { Application } from '../../core/operation.js';
import { restCall, type ToolsDeps } from './rest-call.js';

export const tools: Application<ToolsDeps> = {
  name: 'tools',
  summary: 'Standalone tools: one REST call to an address that the operator allows.',
  component: 'Tools',
  prefixes: ['/tools'],
  operations: [restCall],
};
