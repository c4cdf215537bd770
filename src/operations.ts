import type { JsonFormsDeps } from './apps/json-forms/deps.js';
import { jsonForms } from './apps/json-forms/index.js';
import type { OrchestratorManagerDeps } from './apps/orchestrator-manager/deps.js';
import { orchestratorManager } from './apps/orchestrator-manager/index.js';
import type { PlatformDeps } from './apps/platform/deps.js';
import { platform } from './apps/platform/index.js';
import { passThrough } from './apps/proxy/pass-through.js';
import type { ToolsDeps } from './apps/tools/deps.js';
import { tools } from './apps/tools/index.js';
import {
  bindApplication,
  type BoundOperation,
  describeApplication,
  type DescribedOperation,
} from './domain/operation.js';
import { describeStream } from './domain/stream.js';

/** What all applications together may touch. */
export type OperationDeps = ToolsDeps & OrchestratorManagerDeps & JsonFormsDeps & PlatformDeps;

/** Every row of the API, ready to be served. A new application is one line here and one below. */
export function bindOperations(deps: OperationDeps): readonly BoundOperation[] {
  return [
    ...bindApplication(tools, deps),
    ...bindApplication(orchestratorManager, deps),
    ...bindApplication(jsonForms, deps),
    ...bindApplication(platform, deps),
  ];
}

/** Every row of the API, to be read: names, paths, roles and schemas. */
export function describeOperations(): readonly DescribedOperation[] {
  return [
    ...describeApplication(tools),
    ...describeApplication(orchestratorManager),
    ...describeApplication(jsonForms),
    ...describeApplication(platform),
    describeStream(passThrough),
  ];
}
