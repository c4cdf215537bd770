import { loggedIn } from './logins.js';
import { failure, type DoubleReply } from './replies.js';
import { namespaceOf, type AppRole, type Json, type VaultDoubleState } from './state.js';

const LOCKOUT_AFTER = 5;
const LOCKOUT_MS = 900_000;

/** Handles `POST auth/<mount>/login {role_id, secret_id}`; undefined if the mount does not exist. */
export function appRoleLogin(
  vaultState: VaultDoubleState,
  at: { readonly namespace: string; readonly mount: string },
  body: Json,
): DoubleReply | undefined {
  const roles = namespaceOf(vaultState, at.namespace).appRoles.get(at.mount);
  if (!roles) return undefined;
  if (typeof body['role_id'] !== 'string')
    return failure(vaultState.flavour === 'openbao' ? 500 : 400, 'missing role_id');
  if (typeof body['secret_id'] !== 'string') return failure(400, 'missing secret_id');
  const [name, role] = [...roles].find(([, candidate]) => candidate.roleId === body['role_id']) ?? [];
  if (name === undefined || !role) return failure(400, 'invalid role or secret ID');
  if (vaultState.now() < role.lockedUntil) return failure(403, 'permission denied');
  if (!role.secretIds.has(body['secret_id'])) return refuse(role, vaultState.now());
  role.failures = 0;
  return loggedIn(vaultState, { ...at, role: name, terms: role.terms });
}

function refuse(role: AppRole, now: number): DoubleReply {
  role.failures += 1;
  if (role.failures >= LOCKOUT_AFTER) Object.assign(role, { failures: 0, lockedUntil: now + LOCKOUT_MS });
  return failure(400, 'invalid role or secret ID');
}
