import type { Application } from '../../core/operation.js';
import { getAccessDecision } from './decision.js';
import type { AccessDeps } from './deps.js';
import { getAdapterAccess, getOperationAccess } from './lists.js';

/** The application that answers who may call what. */
export const access: Application<AccessDeps> = {
  name: 'access',
  summary: 'Who may call which operation, and through which adapter, with the reasons.',
  prefixes: ['/access'],
  operations: [getAccessDecision, getOperationAccess, getAdapterAccess],
};
