import { asSettings } from '../../config/settings-schema.js';
import type { AdapterPolicy } from '../../core/access-policy.js';
import type { DescribedOperation } from '../../core/operation.js';
import type { AllowedRoles } from '../../core/principal.js';
import { accessPolicies, type CallRoles, validAccessRules } from '../../server/state/access-policies.js';
import type { Desired } from '../../server/state/configuration.js';
import type { AdapterFactories } from '../../server/state/factories.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import { openAccessRule } from '../../server/state/stored-rules.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import { grantedRoles, usedRoles } from '../../server/state/unused-roles.js';
import type { Settings } from '../../settings/settings.js';
import type { RuleOperationDeps, RuleTerms } from '../lib/store-rule.js';
import type { Store } from '../store.js';
import type { AccessDirectory } from './access-directory.js';
import type { AccessCaller } from './access-explanation.js';
import { accessEffects, configuredAccessRules } from './rules.js';

/** A configuration without faults: the main file with the active profile, and the adapters. */
interface AccessSource {
  readonly desired: Desired;
  /** Policies of a snapshot; absent: they are made of the configuration. */
  readonly access?: ReadonlyMap<string, AdapterPolicy>;
}

/** Operations of the API, and who may call them. */
interface AccessOperations {
  /** The operations that this server serves. */
  readonly served: readonly DescribedOperation[];
  /** Roles that the rows of the operations name. */
  readonly operationRoles: readonly string[];
  /** Creates the function that returns the roles that may call an operation. */
  readonly createRolesOf: (
    rolesNow: () => Settings['roles'],
  ) => (operation: DescribedOperation) => AllowedRoles;
  readonly callRoles: CallRoles;
}

/** Creates the directory of who may call what; `source` returns the configuration of the moment. */
export function createAccessDirectory(
  source: () => AccessSource,
  { served, operationRoles, createRolesOf, callRoles }: AccessOperations,
): AccessDirectory {
  const settings = (): Settings => asSettings(source().desired.main.written.value);
  const rolesOf = createRolesOf(() => settings().roles);
  return {
    callerOf: (subject) => configuredCallers(settings()).find((caller) => caller.subject === subject),
    subjects: () => configuredCallers(settings()).map(({ subject }) => subject),
    operations() {
      const { roles } = settings();
      return served.map((operation) => ({
        name: operation.name,
        allowed: rolesOf(operation),
        isConfigured: Object.hasOwn(roles, operation.name),
      }));
    },
    policies() {
      const { desired, access } = source();
      return access ?? accessPolicies(desired, callRoles);
    },
    callers: () => configuredCallers(settings()),
    subjectsOf: (role) =>
      configuredCallers(settings())
        .filter(({ roles }) => roles.includes(role))
        .map(({ subject }) => subject),
    policiesWith(name, document) {
      const { desired } = source();
      const others = desired.state.accessRules.filter((rule) => rule.name !== name);
      const accessRules = document ? [...others, { name, id: '', revision: 0, document }] : others;
      return accessPolicies(desired, callRoles, validAccessRules({ ...desired.state, accessRules }));
    },
    roles() {
      const { desired } = source();
      const granted = grantedRoles(settings().auth).map(({ role }) => role);
      const stored = validAccessRules(desired.state).flatMap(({ rule }) => rule.roles);
      return [...new Set([...usedRoles(desired, operationRoles), ...granted, ...stored])].sort();
    },
  };
}

interface AccessRulesInput {
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly store: Store;
  readonly factories: AdapterFactories;
  readonly access: AccessDirectory;
}

/** Creates the dependencies of the operations on stored access rules. */
export function accessRulesOf(
  { current, store, factories, access }: AccessRulesInput,
  { apply, now, newRecordId, runInTurn }: RuleTerms,
): RuleOperationDeps {
  return {
    apply,
    now,
    newRecordId,
    runInTurn,
    records: store.platform.accessRules,
    open: (_name, document) => openAccessRule(document, factories),
    configured: () => configuredAccessRules(current.current().desired),
    effects: (name, before, after) => accessEffects(access, name, [before, after]),
  };
}

/** Returns the users and clients of the built-in issuer, and the owners of certificates. */
function configuredCallers({
  auth: { local, clientCertificates },
}: Settings): readonly (AccessCaller & { readonly subject: string })[] {
  const users = local.users.map(
    ({ username, roles }) => ({ subject: username, source: 'user', roles }) as const,
  );
  const clients = local.clients.map(
    ({ clientId, roles }) => ({ subject: clientId, source: 'client', roles }) as const,
  );
  const owners = Object.entries(clientCertificates.roles).map(
    ([subject, roles]) => ({ subject, source: 'certificate', roles: [roles].flat() }) as const,
  );
  return [...(local.enabled ? [...users, ...clients] : []), ...owners];
}
