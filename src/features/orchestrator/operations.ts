import type { Application } from '../../core/operation.js';
import type { OrchestratorManagerDeps } from './execute-call.js';
import { restAction, restQuery } from './rest-operations.js';

/** Calls through adapters; existing clients use the prefix `/nso_manager` (wire decision 4). */
export const orchestratorManager: Application<OrchestratorManagerDeps> = {
  name: 'orchestrator-manager',
  summary: 'Calls to orchestrators through the adapters that are configured for them.',
  component: 'OrchestratorManager',
  prefixes: ['/orchestrator_manager', '/nso_manager'],
  operations: [restAction, restQuery],
};
