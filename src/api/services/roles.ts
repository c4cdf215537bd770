import type { DescribedOperation } from '../../core/operation.js';
import type { AllowedRoles } from '../../core/principal.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { AllowDeps } from '../../http/authorize.js';
import { describeOperations } from '../index.js';

/**
 * Creates a function that returns the roles that may call an operation. Roles that the operator configured
 * for the operation take precedence. By default, an operation that dispatches to other operations (`through`)
 * admits the roles that may call all of them; every other operation admits the roles of its row.
 */
export function createRolesOf(rolesNow: () => Snapshot['roles']): AllowDeps['rolesOf'] {
  const operationsByName = new Map(describeOperations().map((operation) => [operation.name, operation]));
  const rolesOf = ({ name, row }: DescribedOperation): AllowedRoles =>
    rolesNow()[name] ?? defaultRolesOf(row);
  const defaultRolesOf = ({ roles, through }: DescribedOperation['row']): AllowedRoles => {
    if (!through) return roles;
    const delegates = through.flatMap((operation) => operationsByName.get(operation) ?? []);
    return delegates.length > 0 ? delegates.map(rolesOf).reduce(commonRoles) : roles;
  };
  return rolesOf;
}

function commonRoles(first: AllowedRoles, second: AllowedRoles): AllowedRoles {
  if (first === 'public') return second;
  if (second === 'public') return first;
  if (first === 'authenticated') return second;
  return second === 'authenticated' ? first : first.filter((role) => second.includes(role));
}
