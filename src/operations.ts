import type { AuditAppDeps } from './apps/audit/deps.js';
import { audit } from './apps/audit/index.js';
import type { AdaptersDeps, ApplicationsDeps } from './apps/components/deps.js';
import { adapters, applications } from './apps/components/index.js';
import type { ConsoleDeps } from './apps/console/deps.js';
import { consoleApp } from './apps/console/index.js';
import type { DeprecationsDeps } from './apps/deprecations/deps.js';
import { deprecations } from './apps/deprecations/index.js';
import type { DocumentationDeps } from './apps/documentation/deps.js';
import { documentation } from './apps/documentation/index.js';
import type { HealthDeps } from './apps/health/deps.js';
import { health } from './apps/health/index.js';
import type { JsonFormsDeps } from './apps/json-forms/deps.js';
import { jsonForms } from './apps/json-forms/index.js';
import type { TasksDeps } from './apps/json-forms/tasks/deps.js';
import { tasks } from './apps/json-forms/tasks/index.js';
import type { LoginDeps } from './apps/login/deps.js';
import { login } from './apps/login/index.js';
import type { OrchestratorManagerDeps } from './apps/orchestrator-manager/deps.js';
import { orchestratorManager } from './apps/orchestrator-manager/index.js';
import type { PlatformDeps } from './apps/platform/deps.js';
import { platform } from './apps/platform/index.js';
import type { ProfilesDeps } from './apps/profiles/deps.js';
import { profiles } from './apps/profiles/index.js';
import { passThrough } from './apps/proxy/pass-through.js';
import type { SchemaDeps } from './apps/schema/deps.js';
import { schema } from './apps/schema/index.js';
import type { ToolsDeps } from './apps/tools/deps.js';
import { tools } from './apps/tools/index.js';
import { askAmong } from './abilities/ask-among.js';
import { stageAt } from './domain/deprecation.js';
import {
  type Application,
  bindApplication,
  type BoundOperation,
  describeApplication,
  type DescribedOperation,
} from './domain/operation.js';
import { describeStream } from './domain/stream.js';

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
