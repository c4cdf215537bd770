import { type AccessRequest, type AccessRule, isAdmitted } from './access.js';
import type { Principal } from './principal.js';
import { Problem } from './problem.js';

/** Throws `adapter_forbidden` if the adapter has access rules and none of them admits the call. */
export function checkAccess(
  rules: readonly AccessRule[],
  { method, path }: Pick<AccessRequest, 'method' | 'path'>,
  principal: Principal | undefined,
): void {
  if (isAdmitted(rules, { roles: principal?.roles ?? [], method, path })) return;
  throw new Problem(
    'adapter_forbidden',
    `the adapter's access rules do not admit ${method} at this path for your roles`,
  );
}
