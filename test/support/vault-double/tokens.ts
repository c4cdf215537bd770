import { randomBytes, randomUUID } from 'node:crypto';
import { done, failure, invalidToken, ok, type DoubleReply } from './replies.js';
import type { Json, Token, TokenTerms, VaultDoubleState } from './state.js';

export function issueToken(vaultState: VaultDoubleState, terms: TokenTerms): Token {
  const { period = 0, type = 'service', ttl = period } = terms;
  const created = vaultState.now();
  const token: Token = {
    id: `hv${type === 'batch' ? 'b' : 's'}.${randomBytes(18).toString('base64url')}`,
    policies: terms.policies,
    created,
    ttl,
    renewable: terms.renewable ?? (ttl > 0 && type === 'service'),
    type,
    period,
    numUses: terms.numUses ?? 0,
    maxTtl: terms.maxTtl ?? 2_764_800,
    expires: ttl > 0 ? created + ttl * 1000 : null,
  };
  vaultState.tokens.set(token.id, token);
  return token;
}

/** Returns the token of a request if it is valid. */
export function liveToken(vaultState: VaultDoubleState, id: string | undefined): Token | undefined {
  const token = vaultState.tokens.get(id ?? '');
  return token && (token.expires === null || token.expires > vaultState.now()) ? token : undefined;
}

/** The `auth` block of a login or a renewal. */
export function authBlock({ id, policies, renewable, type, numUses }: Token, ttl: number): Json {
  return {
    client_token: id,
    accessor: type === 'batch' ? '' : randomUUID(),
    policies: ['default', ...policies],
    metadata: null,
    lease_duration: ttl,
    renewable,
    token_type: type,
    num_uses: numUses,
  };
}

/** Handles `auth/token/...-self`; undefined for all other paths. */
export function tokenAnswer(
  vaultState: VaultDoubleState,
  token: Token,
  path: string,
): DoubleReply | undefined {
  if (path === 'auth/token/lookup-self') return lookupSelf(vaultState, token);
  if (path === 'auth/token/renew-self') return renewSelf(vaultState, token);
  if (path !== 'auth/token/revoke-self') return undefined;
  if (token.type === 'batch') return failure(400, 'batch tokens cannot be revoked');
  revokeToken(vaultState, token.id);
  return done;
}

function lookupSelf(vaultState: VaultDoubleState, token: Token): DoubleReply {
  const { id, type, policies, renewable, numUses, period, expires } = token;
  const ttl = expires === null ? 0 : Math.ceil((expires - vaultState.now()) / 1000);
  const times = {
    creation_ttl: token.ttl,
    ttl,
    ...(period > 0 && { period }),
    // A token without an end has no such member.
    ...(expires !== null && { renewable }),
  };
  return ok({ data: { id, type, policies: ['default', ...policies], num_uses: numUses, ...times } });
}

function renewSelf(vaultState: VaultDoubleState, token: Token): DoubleReply {
  if (!token.renewable) return failure(400, 'lease is not renewable');
  const left = Math.floor((token.created + token.maxTtl * 1000 - vaultState.now()) / 1000);
  const ttl = token.period || Math.min(token.ttl, left);
  if (ttl <= 0) return failure(400, 'past the max TTL, cannot renew');
  token.expires = vaultState.now() + ttl * 1000;
  return ok({ auth: authBlock(token, ttl) });
}

/** Revokes a token and its leases. */
export function revokeToken({ tokens, leases }: VaultDoubleState, id: string): void {
  tokens.delete(id);
  for (const lease of leases.values()) if (lease.token === id) leases.delete(lease.id);
}

/**
 * Handles `sys/wrapping/lookup` with the wrapping token in the body, and `sys/wrapping/unwrap` with the wrapping token
 * in the header.
 */
export function wrappingAnswer(
  { wrappings }: VaultDoubleState,
  {
    path,
    body,
    token = '',
  }: { readonly path: string; readonly body: Json; readonly token: string | undefined },
): DoubleReply {
  const isUnwrap = path === 'sys/wrapping/unwrap';
  if (isUnwrap && body['token'] !== undefined) return invalidToken;
  const given = isUnwrap ? token : String(body['token']);
  const found = wrappings.get(given);
  if (!found) return failure(400, 'wrapping token is not valid or does not exist');
  if (!isUnwrap) return ok({ data: { creation_path: found.creationPath, creation_ttl: 300 } });
  wrappings.delete(given);
  return ok(found.body);
}
