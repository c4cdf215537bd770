import { revokeLeasesOf } from './database.js';
import { failure, ok, secondsOf, type DoubleReply } from './replies.js';
import { issueToken, type Json, type Token, type TokenTerms, type VaultDoubleState } from './state.js';

/** Returns the token of a request if it is valid. */
export function liveToken(vaultState: VaultDoubleState, id: string | undefined): Token | undefined {
  const token = id === undefined ? undefined : vaultState.tokens.get(id);
  if (!token) return undefined;
  return token.expires === null || token.expires > vaultState.now() ? token : undefined;
}

/** Counts one use of a token; a token without further uses ends with this request. */
export function countUse(vaultState: VaultDoubleState, token: Token): void {
  if (token.numUses === 1) vaultState.tokens.delete(token.id);
  else if (token.numUses > 1) token.numUses -= 1;
}

/** The `auth` block of a login or a renewal. */
export function authBlock(token: Token, ttl: number, metadata: Json | null): Json {
  return {
    client_token: token.id,
    accessor: token.type === 'batch' ? '' : token.accessor,
    policies: ['default', ...token.policies],
    token_policies: ['default', ...token.policies],
    metadata,
    lease_duration: ttl,
    renewable: token.renewable,
    entity_id: '',
    token_type: token.type,
    orphan: true,
    mfa_requirement: null,
    num_uses: token.numUses,
  };
}

/** Returns the token terms of a request; `before` is the prefix of each member name. */
export function termsOf(body: Json, before = ''): TokenTerms {
  const number = (name: string): number | undefined =>
    body[`${before}${name}`] === undefined ? undefined : secondsOf(body[`${before}${name}`]);
  const given = {
    ttl: number('ttl'),
    maxTtl: number(before === '' ? 'explicit_max_ttl' : 'max_ttl'),
    period: number('period'),
    numUses: number('num_uses'),
    ...(typeof body['renewable'] === 'boolean' && { renewable: body['renewable'] }),
    ...(body[`${before}type`] === 'batch' && { type: 'batch' as const }),
  };
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { policies: (body[`${before}policies`] ?? []) as readonly string[], ...said };
}

/** `POST auth/token/create`; without a `ttl` the token lasts as long as Vault's default. */
function createToken(vaultState: VaultDoubleState, { namespace }: Token, body: Json): DoubleReply {
  const terms = termsOf(body);
  const isRoot = terms.policies.includes('root');
  const token = issueToken(vaultState, {
    ttl: isRoot ? 0 : (terms.period ?? 2_764_800),
    ...terms,
    namespace,
  });
  return ok({ auth: authBlock(token, token.creationTtl, null) });
}

/** `POST auth/token/lookup {token}`. */
function lookup(vaultState: VaultDoubleState, { token: id }: Json): DoubleReply {
  const token = liveToken(vaultState, String(id));
  return token ? lookupSelf(vaultState, token) : failure(403, 'bad token');
}

/** `POST auth/token/revoke {token}`. */
function revoke(vaultState: VaultDoubleState, { token: id }: Json): DoubleReply {
  const token = liveToken(vaultState, String(id));
  if (token) revokeToken(vaultState, token);
  return { status: 204 };
}

function lookupSelf(vaultState: VaultDoubleState, token: Token): DoubleReply {
  const ttl = token.expires === null ? 0 : Math.ceil((token.expires - vaultState.now()) / 1000);
  const data = {
    accessor: token.accessor,
    creation_time: Math.floor(token.created / 1000),
    creation_ttl: token.creationTtl,
    display_name: token.path.split('/')[1],
    entity_id: '',
    expire_time: token.expires === null ? null : new Date(token.expires).toISOString(),
    explicit_max_ttl: 0,
    id: token.id,
    issue_time: new Date(token.created).toISOString(),
    meta: null,
    num_uses: token.numUses,
    orphan: true,
    path: token.path,
    policies: ['default', ...token.policies],
    renewable: token.renewable,
    ttl,
    type: token.type,
    ...(token.period > 0 && { period: token.period }),
  };
  return ok({ data });
}

function renewSelf(vaultState: VaultDoubleState, token: Token, body: Json): DoubleReply {
  if (token.type === 'batch') return failure(400, 'batch tokens cannot be renewed');
  if (!token.renewable || token.expires === null) return failure(400, 'lease is not renewable');
  const { increment } = body as { increment?: string | number };
  const wanted = secondsOf(increment ?? token.creationTtl) ?? token.creationTtl;
  if (token.period > 0) return renewed(vaultState, token, { ttl: token.period, warnings: null });
  const left = Math.floor((token.created + token.maxTtl * 1000 - vaultState.now()) / 1000);
  if (left <= 0) return failure(400, 'past the max TTL, cannot renew');
  const ttl = Math.min(wanted, left);
  const capped = `TTL of "${wanted}s" exceeded the effective max_ttl of "${left}s"; TTL value is capped accordingly`;
  return renewed(vaultState, token, { ttl, warnings: ttl < wanted ? [capped] : null });
}

function revokeSelf(vaultState: VaultDoubleState, token: Token): DoubleReply {
  if (token.type === 'batch') return failure(400, 'batch tokens cannot be revoked');
  revokeToken(vaultState, token);
  return { status: 204 };
}

function revokeToken(vaultState: VaultDoubleState, token: Token): void {
  vaultState.tokens.delete(token.id);
  revokeLeasesOf(vaultState, token.id);
}

function renewed(
  vaultState: VaultDoubleState,
  token: Token,
  { ttl, warnings }: { readonly ttl: number; readonly warnings: readonly string[] | null },
): DoubleReply {
  token.expires = vaultState.now() + ttl * 1000;
  return ok({ auth: authBlock(token, ttl, null), warnings });
}

const ANSWERS: Readonly<
  Record<string, (vaultState: VaultDoubleState, token: Token, body: Json) => DoubleReply>
> = {
  'GET lookup-self': lookupSelf,
  'POST renew-self': renewSelf,
  'POST revoke-self': revokeSelf,
  'POST create': createToken,
  'POST lookup': (vaultState, _, body) => lookup(vaultState, body),
  'POST revoke': (vaultState, _, body) => revoke(vaultState, body),
};

/** Handles `auth/token/<what>`; undefined for all other paths. */
export function tokenAnswer(
  vaultState: VaultDoubleState,
  token: Token,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: Json },
): DoubleReply | undefined {
  const [, what] = /^auth\/token\/(.+)$/.exec(path) ?? [];
  return what === undefined ? undefined : ANSWERS[`${method} ${what}`]?.(vaultState, token, body);
}
