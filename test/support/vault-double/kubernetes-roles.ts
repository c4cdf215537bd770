import type { AdministratorCall } from './administration.js';
import { lasting } from './logins.js';
import { failure, type DoubleReply } from './replies.js';
import { termsOf } from './tokens.js';
import { namespaceOf, type Json, type VaultDoubleState } from './state.js';

const DONE: DoubleReply = { status: 204 };

/**
 * Handles `auth/<mount>/config` and `auth/<mount>/role/<name>` of the method `kubernetes`. A cluster would
 * validate the token of a service account; the double accepts the text `<namespace>/<name>/<audience>`
 * instead.
 */
export function kubernetesAdministration(
  vaultState: VaultDoubleState,
  call: AdministratorCall,
): DoubleReply | undefined {
  const [, mount = '', part, name = ''] =
    /^auth\/([^/]+)\/(config|role)(?:\/([^/]+))?$/.exec(call.path) ?? [];
  const roles = namespaceOf(vaultState, call.namespace).loginRoles.get(mount);
  if (!roles || !(call.method === 'POST' || call.method === 'PUT')) return undefined;
  const { body } = call;
  if (part === 'config') return body['kubernetes_host'] ? DONE : failure(400, 'no host provided');
  const credential = accountOf(body);
  if (credential === undefined)
    return failure(400, '"bound_service_account_names" and "bound_service_account_namespaces" are needed');
  roles.set(name, { kind: 'kubernetes', credential, terms: lasting(termsOf(body, 'token_')) });
  return DONE;
}

function accountOf(body: Json): string | undefined {
  const parts = ['bound_service_account_namespaces', 'bound_service_account_names', 'audience'];
  const words = parts.map((member) => body[member]);
  return words.every((word) => typeof word === 'string' && word !== '') ? words.join('/') : undefined;
}
