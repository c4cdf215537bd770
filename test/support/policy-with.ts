import { type AdapterPolicy, adapterPolicy, type GlobalAccessRule } from '../../src/core/access-policy.js';
import type { AccessRule } from '../../src/core/access.js';

/** Returns the policy of the adapter "core1" without tags, with its own rules and those of the main configuration. */
export function policyWith(
  access: readonly AccessRule[] = [],
  rules: readonly GlobalAccessRule[] = [],
): AdapterPolicy {
  return adapterPolicy({ adapterId: 'core1', tags: [], access }, rules);
}
