import { checkAccess, type RequireCallAccess } from '../core/access-decision.js';
import type { CallOperation, GrantedCalls } from '../core/access-policy.js';
import type { DescribedOperation } from '../core/operation.js';
import { admits, type AllowedRoles, type Principal } from '../core/principal.js';
import { policyOf, type Snapshot } from '../core/snapshot.js';
import { type AllowDeps, requireRole } from '../http/authorize.js';
import type { ActiveSnapshot } from '../server/state/snapshot.js';
import type { SnapshotHolder } from '../server/state/swap.js';
import type { Settings } from '../settings/settings.js';
import type { AccessDirectory } from './access/access-directory.js';
import { createAccessDirectory } from './access/index.js';
import type { VersionRights } from './audit/index.js';
import { VERSION_OPERATIONS } from './audit/record-changes.js';
import { describeServed, OPERATION_ROLES, operationNamed, operationsByName } from './operations.js';

/**
 * Creates a function that returns the roles that may call an operation. Roles that the operator configured
 * for the operation take precedence. By default, an operation that dispatches to other operations (`through`)
 * admits the roles that may call all of them; every other operation admits the roles of its row.
 */
export function createRolesOf(rolesNow: () => Snapshot['roles']): AllowDeps['rolesOf'] {
  const rolesOf = ({ name, row }: DescribedOperation): AllowedRoles =>
    rolesNow()[name] ?? defaultRolesOf(row);
  const defaultRolesOf = ({ roles, through }: DescribedOperation['row']): AllowedRoles => {
    if (!through) return roles;
    const delegates = through.flatMap((operation) => operationsByName().get(operation) ?? []);
    return delegates.length > 0 ? delegates.map(rolesOf).reduce(commonRoles) : roles;
  };
  return rolesOf;
}

/** Creates the function that returns the roles that may call an operation, by the active configuration and the stored access rules. */
export function rolesWith(current: SnapshotHolder<ActiveSnapshot>): AllowDeps['rolesOf'] {
  const rolesOf = createRolesOf(() => current.current().roles);
  return (operation) => {
    const allowed = rolesOf(operation);
    const granted = current.current().grantedRoles.get(operation.name);
    return granted && typeof allowed !== 'string' ? [...allowed, ...granted] : allowed;
  };
}

/** Returns the roles that may call each operation that sends calls through adapters, by the key `roles`. */
export function callRoles(roles: Settings['roles']): GrantedCalls['roles'] {
  const rolesOf = createRolesOf(() => roles);
  const of = (name: CallOperation): AllowedRoles => {
    const operation = operationsByName().get(name);
    return operation ? rolesOf(operation) : [];
  };
  return {
    'orchestrator-manager.restAction': of('orchestrator-manager.restAction'),
    'orchestrator-manager.restQuery': of('orchestrator-manager.restQuery'),
    'proxy.passThrough': of('proxy.passThrough'),
    'adapters.callAdapterMethod': of('adapters.callAdapterMethod'),
  };
}

/**
 * Creates a check for operations that do, on behalf of their caller, what another operation does. The check throws
 * `forbidden` if the caller may not call that operation, which `name` selects.
 */
export function createRoleCheck(
  name: string,
  rolesOf: AllowDeps['rolesOf'],
): (principal: Principal | undefined) => void {
  const operation = operationNamed(name);
  return (principal) => {
    requireRole(name, rolesOf(operation), principal);
  };
}

/** Creates the check of calls through adapters that a person approves: the checks of the same call by that person. */
export function createCallCheck(current: SnapshotHolder<ActiveSnapshot>): RequireCallAccess {
  const rolesOf = rolesWith(current);
  return (call, principal) => {
    createRoleCheck(call.operation, rolesOf)(principal);
    checkAccess(policyOf(current.current(), call.adapterId, principal), call, principal);
  };
}

/** Returns who may read the versions of records, by the active configuration and the stored access rules. */
export function versionRightsOf(current: SnapshotHolder<ActiveSnapshot>): VersionRights {
  const rolesOf = rolesWith(current);
  return {
    mayCall: (kind, principal) => admits(rolesOf(operationNamed(VERSION_OPERATIONS[kind])), principal),
    policies: () => current.current().access,
  };
}

function commonRoles(first: AllowedRoles, second: AllowedRoles): AllowedRoles {
  if (first === 'public') return second;
  if (second === 'public') return first;
  if (first === 'authenticated') return second;
  return second === 'authenticated' ? first : first.filter((role) => second.includes(role));
}

/** Opens the directory of who may call the operations that a server of this release serves. */
export function openAccess(
  source: Parameters<typeof createAccessDirectory>[0],
  release: string,
): AccessDirectory {
  return createAccessDirectory(source, {
    served: describeServed(release),
    operationRoles: OPERATION_ROLES,
    createRolesOf,
    callRoles,
  });
}
