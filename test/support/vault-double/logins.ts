import { done, failure, ok, type DoubleReply } from './replies.js';
import type { Json, LoginRole, TokenTerms, VaultDoubleState } from './state.js';
import { authBlock, issueToken } from './tokens.js';

/** Handles `POST auth/<mount>/login` of every method. */
export function login(
  vaultState: VaultDoubleState,
  mount: string,
  { body, certificate }: { readonly body: Json; readonly certificate: string | undefined },
): DoubleReply {
  const roles = vaultState.logins.get(mount);
  // The method approle is enabled from the beginning.
  if (!roles && mount !== 'approle') return failure(403, 'permission denied');
  const found = [...(roles ?? [])].find(([name, role]) => accepts(name, role, { ...body, certificate }));
  if (!found) return failure(400, 'invalid role or secret ID');
  const token = issueToken(vaultState, found[1].terms);
  return ok({ auth: authBlock(token, token.ttl) });
}

function accepts(
  name: string,
  { kind, credential, secretIds }: LoginRole,
  { role_id: roleId, secret_id: secretId, role = name, name: asked = name, jwt, certificate }: Json,
): boolean {
  if (kind === 'approle') return credential === roleId && secretIds.has(String(secretId));
  if (kind === 'cert') return credential === certificate && asked === name;
  return credential === jwt && role === name;
}

/** Sets the default lifetime of a role's tokens, twenty minutes. */
export function lasting(terms: TokenTerms): TokenTerms {
  return { ...(terms.period === undefined && { ttl: 1200 }), ...terms };
}

/** Handles `POST auth/approle/role/NAME {token_policies}` for a role that exists. */
export function changeAppRole(vaultState: VaultDoubleState, name: string, body: Json): DoubleReply {
  const role = vaultState.logins.get('approle')?.get(name);
  if (!role) return failure(404, `role "${name}" does not exist`);
  role.terms = { ...role.terms, policies: body['token_policies'] as readonly string[] };
  return done;
}
