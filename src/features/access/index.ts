import { asSettings } from '../../config/settings-schema.js';
import type { AdapterPolicy } from '../../core/access-policy.js';
import type { DescribedOperation } from '../../core/operation.js';
import type { AllowedRoles } from '../../core/principal.js';
import { accessPolicies } from '../../server/state/access-policies.js';
import type { Desired } from '../../server/state/configuration.js';
import { grantedRoles, usedRoles } from '../../server/state/unused-roles.js';
import type { Settings } from '../../settings/settings.js';
import type { AccessDirectory } from './access-directory.js';
import type { AccessCaller } from './access-explanation.js';

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
}

/** Creates the directory of who may call what; `source` returns the configuration of the moment. */
export function createAccessDirectory(
  source: () => AccessSource,
  { served, operationRoles, createRolesOf }: AccessOperations,
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
      return access ?? accessPolicies(desired);
    },
    roles() {
      const { desired } = source();
      const granted = grantedRoles(settings().auth).map(({ role }) => role);
      return [...new Set([...usedRoles(desired, operationRoles), ...granted])].sort();
    },
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
