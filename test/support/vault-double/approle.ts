import { failure, ok, type DoubleReply } from './replies.js';
import { authBlock } from './tokens.js';
import { issueToken, namespaceOf, type AppRole, type Json, type World } from './world.js';

const LOCKOUT_AFTER = 5;

/** `POST auth/<mount>/login {role_id, secret_id}`; undefined when there is no such mount. */
export function appRoleLogin(
  world: World,
  at: { readonly namespace: string; readonly mount: string },
  body: Json,
): DoubleReply | undefined {
  const roles = namespaceOf(world, at.namespace).appRoles.get(at.mount);
  if (!roles) return undefined;
  if (typeof body['role_id'] !== 'string') return failure(400, 'missing role_id');
  if (typeof body['secret_id'] !== 'string') return failure(400, 'missing secret_id');
  const [name, role] = [...roles].find(([, candidate]) => candidate.roleId === body['role_id']) ?? [];
  if (name === undefined || !role) return failure(400, 'invalid role or secret ID');
  if (role.failures >= LOCKOUT_AFTER) return failure(403, 'permission denied');
  if (!role.secretIds.has(body['secret_id'])) return refuse(role);
  role.failures = 0;
  const path = `auth/${at.mount}/login`;
  const token = issueToken(world, { policies: role.policies, namespace: at.namespace, path, ttl: role.ttl });
  return ok({ auth: authBlock(token, role.ttl, { role_name: name }) });
}

function refuse(role: AppRole): DoubleReply {
  role.failures += 1;
  return failure(400, 'invalid role or secret ID');
}
