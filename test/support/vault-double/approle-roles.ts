import { randomUUID } from 'node:crypto';
import type { AdministratorCall } from './administration.js';
import { lasting } from './logins.js';
import { failure, notFound, ok, type DoubleReply } from './replies.js';
import { termsOf } from './tokens.js';
import { namespaceOf, type AppRole, type VaultDoubleState } from './state.js';

const DONE: DoubleReply = { status: 204 };

/** `auth/<mount>/role/<name>`, its `role-id` and its `secret-id`. */
export function appRoleAdministration(
  vaultState: VaultDoubleState,
  call: AdministratorCall,
): DoubleReply | undefined {
  const [, mount = '', name = '', part] =
    /^auth\/(.+)\/role\/([^/]+)(?:\/(role-id|secret-id))?$/.exec(call.path) ?? [];
  const roles = namespaceOf(vaultState, call.namespace).appRoles.get(mount);
  if (!roles) return undefined;
  const role = roles.get(name);
  if (part === undefined) return changeRole(roles, name, call);
  if (!role) return part === 'role-id' ? notFound : failure(404, `role "${name}" does not exist`);
  return part === 'role-id' ? ok({ data: { role_id: role.roleId } }) : newSecretId(role);
}

function changeRole(
  roles: Map<string, AppRole>,
  name: string,
  { method, body }: AdministratorCall,
): DoubleReply {
  if (method === 'DELETE') {
    roles.delete(name);
    return DONE;
  }
  const terms = lasting(termsOf(body, 'token_'));
  const fresh = { roleId: randomUUID(), secretIds: new Set<string>(), failures: 0, lockedUntil: 0 };
  roles.set(name, { ...(roles.get(name) ?? fresh), terms });
  return DONE;
}

function newSecretId(role: AppRole): DoubleReply {
  const secretId = randomUUID();
  role.secretIds.add(secretId);
  const data = {
    secret_id: secretId,
    secret_id_accessor: randomUUID(),
    secret_id_num_uses: 0,
    secret_id_ttl: 0,
  };
  return ok({ data });
}
