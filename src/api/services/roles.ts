import type { DescribedOperation } from '../../core/operation.js';
import type { AllowedRoles } from '../../core/principal.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { AllowDeps } from '../../http/authorize.js';
import { describeOperations } from '../index.js';

/**
 * Creates a function that returns the roles that may call an operation. These are the roles that the operator
 * configured for it; otherwise the roles that may call all operations it works through; otherwise those of
 * its row.
 */
export function createRolesOf(rolesNow: () => Snapshot['roles']): AllowDeps['rolesOf'] {
  const named = new Map(describeOperations().map((operation) => [operation.name, operation]));
  const rolesOf = ({ name, row }: DescribedOperation): AllowedRoles => rolesNow()[name] ?? statedBy(row);
  const statedBy = ({ roles, through }: DescribedOperation['row']): AllowedRoles => {
    if (!through) return roles;
    const asked = through.flatMap((one) => named.get(one) ?? []);
    return asked.length > 0 ? asked.map(rolesOf).reduce(admittedByBoth) : roles;
  };
  return rolesOf;
}

function admittedByBoth(one: AllowedRoles, other: AllowedRoles): AllowedRoles {
  if (one === 'public') return other;
  if (other === 'public') return one;
  if (one === 'authenticated') return other;
  return other === 'authenticated' ? one : one.filter((role) => other.includes(role));
}
