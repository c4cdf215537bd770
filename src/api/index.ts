import type { AuditAppDeps } from './audit/deps.js';
import { audit } from './audit/index.js';
import type { AdaptersDeps, ApplicationsDeps } from './components/deps.js';
import { adapters, applications } from './components/index.js';
import type { ConsoleDeps } from './console/deps.js';
import { consoleApp } from './console/index.js';
import type { DeprecationsDeps } from './legacy/deps.js';
import { deprecations } from './legacy/index.js';
import type { DocumentationDeps } from './docs/deps.js';
import { documentation } from './docs/index.js';
import type { HealthDeps } from './health/deps.js';
import { health } from './health/index.js';
import type { JsonFormsDeps } from './forms/deps.js';
import { jsonForms } from './forms/index.js';
import type { TasksDeps } from './forms/tasks/deps.js';
import { tasks } from './forms/tasks/index.js';
import type { LoginDeps } from './login/deps.js';
import { login } from './login/index.js';
import type { OrchestratorManagerDeps } from './orchestrator/deps.js';
import { orchestratorManager } from './orchestrator/index.js';
import type { PlatformDeps } from './platform/deps.js';
import { platform } from './platform/index.js';
import type { ProfilesDeps } from './profiles/deps.js';
import { profiles } from './profiles/index.js';
import { passThrough } from './proxy/pass-through.js';
import type { SchemaDeps } from './schema/deps.js';
import { schema } from './schema/index.js';
import type { ToolsDeps } from './tools/deps.js';
import { tools } from './tools/index.js';
import { askAmong } from './services/dispatch-batch.js';
import { stageAt } from '../core/deprecation.js';
import {
  type Application,
  bindApplication,
  type BoundOperation,
  describeApplication,
  type DescribedOperation,
} from '../core/operation.js';
import { describeStream } from '../core/stream.js';

/** What all applications together may touch. */
export type ApiDeps = ToolsDeps &
  OrchestratorManagerDeps &
  JsonFormsDeps &
  TasksDeps &
  AdaptersDeps &
  ApplicationsDeps &
  ProfilesDeps &
  HealthDeps &
  LoginDeps &
  SchemaDeps &
  PlatformDeps &
  AuditAppDeps &
  DocumentationDeps &
  ConsoleDeps &
  Omit<DeprecationsDeps, 'ask'>;

/** All of them but those whose operations work through others, in the order of the API's description. */
const APPLICATIONS: readonly Application<ApiDeps>[] = [
  tools,
  orchestratorManager,
  jsonForms,
  tasks,
  login,
  adapters,
  applications,
  profiles,
  health,
  schema,
  platform,
  audit,
  documentation,
  consoleApp,
];

/** Every row of the API, ready to be served. */
export function bindOperations(deps: ApiDeps): readonly BoundOperation[] {
  const operations = APPLICATIONS.flatMap((application) => bindApplication(application, deps));
  const { release, deprecatedCalls, sessions, reread, compile } = deps;
  const ask = askAmong(operations, compile);
  return [
    ...operations,
    ...bindApplication(deprecations, { release, deprecatedCalls, sessions, reread, ask }),
  ];
}

/** Every row of the API, to be read: names, paths, roles and schemas. */
export function describeOperations(): readonly DescribedOperation[] {
  return [
    ...APPLICATIONS.flatMap(describeApplication),
    ...describeApplication(deprecations),
    describeStream(passThrough),
  ];
}

/** Those of them that a server of this release serves. */
export function describeServed(release: string): readonly DescribedOperation[] {
  return describeOperations().filter(
    ({ row: { deprecation } }) => !deprecation || stageAt(release, deprecation) !== 'removed',
  );
}
