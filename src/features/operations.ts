import { stageAt } from '../core/deprecation.js';
import {
  type Application,
  bindApplication,
  type BoundOperation,
  describeApplication,
  type DescribedOperation,
} from '../core/operation.js';
import type { CompileSchema } from '../core/schema.js';
import type { AccessDeps } from './access/deps.js';
import { access } from './access/operations.js';
import { accessRules } from './access/rules.js';
import type { AdaptersDeps, ApplicationsDeps } from './adapters/deps.js';
import { adapters } from './adapters/operations.js';
import { applications } from './applications/operations.js';
import { audit, type AuditAppDeps } from './audit/operations.js';
import type { ConsoleDeps } from './console/deps.js';
import { consoleApp } from './console/operations.js';
import { exampleOf } from './docs/examples/index.js';
import { documentation, type DocumentationDeps } from './docs/operations.js';
import type { JsonFormsDeps } from './forms/deps.js';
import { jsonForms } from './forms/operations.js';
import type { HealthDeps } from './health/deps.js';
import { health } from './health/operations.js';
import type { DeprecationsDeps } from './legacy/deps.js';
import { deprecations, createDispatch } from './legacy/operations.js';
import type { RuleOperationDeps } from './lib/store-rule.js';
import { limitRules } from './limits/rules.js';
import type { LoginDeps } from './login/deps.js';
import { login } from './login/operations.js';
import type { NotificationsDeps } from './notifications/deps.js';
import { notifications } from './notifications/operations.js';
import type { OrchestratorManagerDeps } from './orchestrator/execute-call.js';
import { orchestratorManager } from './orchestrator/operations.js';
import { platform, type PlatformDeps } from './platform/operations.js';
import type { ProfilesDeps } from './profiles/deps.js';
import { profiles } from './profiles/operations.js';
import { passThrough, describeStream } from './proxy/operations.js';
import { schema, type SchemaDeps } from './schema/operations.js';
import type { TasksDeps } from './tasks/deps.js';
import { tasks } from './tasks/operations.js';
import { tools, type ToolsDeps } from './tools/operations.js';

/** Dependencies of the applications: each application receives only its group. */
export interface ApiDeps {
  readonly tools: ToolsDeps;
  readonly orchestrator: OrchestratorManagerDeps;
  readonly forms: JsonFormsDeps;
  readonly tasks: TasksDeps;
  readonly login: LoginDeps;
  readonly adapters: AdaptersDeps;
  readonly applications: ApplicationsDeps;
  readonly profiles: ProfilesDeps;
  readonly health: HealthDeps;
  readonly schema: SchemaDeps;
  readonly platform: PlatformDeps;
  readonly audit: AuditAppDeps;
  readonly access: AccessDeps;
  readonly accessRules: RuleOperationDeps;
  readonly limitRules: RuleOperationDeps;
  readonly docs: DocumentationDeps;
  readonly console: ConsoleDeps;
  readonly notifications: NotificationsDeps;
  /** The deprecated operations also call those that replace them. */
  readonly legacy: Omit<DeprecationsDeps, 'dispatch'> & { readonly compile: CompileSchema };
}

/** An application that is bound to its group of dependencies. */
interface Entry {
  readonly describe: () => readonly DescribedOperation[];
  readonly bind: (deps: ApiDeps) => readonly BoundOperation[];
}

function entry<Deps>(application: Application<Deps>, depsOf: (deps: ApiDeps) => Deps): Entry {
  return {
    describe: () => describeApplication(application),
    bind: (deps) => bindApplication(application, depsOf(deps)),
  };
}

/** The applications in the order of the API description, without the deprecated operations. */
const APPLICATIONS: readonly Entry[] = [
  entry(tools, (deps) => deps.tools),
  entry(orchestratorManager, (deps) => deps.orchestrator),
  entry(jsonForms, (deps) => deps.forms),
  entry(tasks, (deps) => deps.tasks),
  entry(login, (deps) => deps.login),
  entry(adapters, (deps) => deps.adapters),
  entry(applications, (deps) => deps.applications),
  entry(profiles, (deps) => deps.profiles),
  entry(health, (deps) => deps.health),
  entry(schema, (deps) => deps.schema),
  entry(platform, (deps) => deps.platform),
  entry(audit, (deps) => deps.audit),
  entry(access, (deps) => deps.access),
  entry(accessRules, (deps) => deps.accessRules),
  entry(limitRules, (deps) => deps.limitRules),
  entry(documentation, (deps) => deps.docs),
  entry(consoleApp, (deps) => deps.console),
  entry(notifications, (deps) => deps.notifications),
];

/** Returns every operation of the API, ready to be served. */
export function bindOperations(deps: ApiDeps): readonly BoundOperation[] {
  const operations = APPLICATIONS.flatMap((application) => application.bind(deps));
  const { compile, ...legacy } = deps.legacy;
  const dispatch = createDispatch(operations, compile);
  return [...operations, ...bindApplication(deprecations, { ...legacy, dispatch })];
}

let described: readonly DescribedOperation[] | undefined;

/** Returns every operation of the API as a description: names, paths, roles, schemas and examples. */
export function describeOperations(): readonly DescribedOperation[] {
  // Once, because ten parts of the server ask for it while they start.
  described ??= describeAll();
  return described;
}

let byName: ReadonlyMap<string, DescribedOperation> | undefined;

/** Returns the operations by name, `<application>.<id>`. */
export function operationsByName(): ReadonlyMap<string, DescribedOperation> {
  byName ??= new Map(describeOperations().map((operation) => [operation.name, operation]));
  return byName;
}

/** Returns the operation of a name. Throws if there is none. */
export function operationNamed(name: string): DescribedOperation {
  const operation = operationsByName().get(name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return operation;
}

function describeAll(): readonly DescribedOperation[] {
  const operations = [
    ...APPLICATIONS.flatMap((application) => application.describe()),
    ...describeApplication(deprecations),
    describeStream(passThrough),
  ];
  return operations.map((operation) => {
    const example = exampleOf(operation.name);
    return example ? { ...operation, example } : operation;
  });
}

export function describeServed(release: string): readonly DescribedOperation[] {
  return describeOperations().filter(
    ({ row: { deprecation } }) => !deprecation || stageAt(release, deprecation) !== 'removed',
  );
}

export const OPERATION_ROLES = describeOperations().flatMap(({ row: { roles } }) =>
  typeof roles === 'string' ? [] : roles,
);
