import { randomUUID } from 'node:crypto';
import { envelope, failure, ok, type DoubleReply } from './replies.js';
import { type Json, newTokenId, type VaultDoubleState, type Wrapping } from './state.js';
import { liveToken } from './tokens.js';

/**
 * Wraps the members of a reply for `ttl` seconds and returns the wrapping token; `creationPath` is the path
 * of the request.
 */
export type WrapHook = (creationPath: string, parts: Json, ttl?: number) => string;

export function wrap(
  vaultState: VaultDoubleState,
  { creationPath, parts, ttl }: { readonly creationPath: string; readonly parts: Json; readonly ttl: number },
): string {
  const token = newTokenId(vaultState);
  vaultState.wrappings.set(token, { creationPath, body: envelope(parts), created: vaultState.now(), ttl });
  return token;
}

/**
 * Returns a reply unchanged, or wrapped if the request asks for wrapping; `POST sys/wrapping/wrap` wraps its
 * body.
 */
export function wrapReply(
  vaultState: VaultDoubleState,
  {
    path,
    body,
    wrapTtl,
  }: { readonly path: string; readonly body: Json; readonly wrapTtl: number | undefined },
  reply: DoubleReply,
): DoubleReply {
  const isOwn = path === 'sys/wrapping/wrap';
  if (wrapTtl === undefined || (reply.status !== 200 && !isOwn)) return reply;
  const parts = isOwn ? { data: body } : (reply.body as Json);
  const token = wrap(vaultState, { creationPath: path, parts, ttl: wrapTtl });
  const creation_time = new Date(vaultState.now()).toISOString();
  return ok({
    wrap_info: {
      token,
      accessor: randomUUID(),
      ttl: wrapTtl,
      creation_time,
      creation_path: path,
      ...wrappedAccessor(parts),
    },
  });
}

/** Returns the accessor of a wrapped token or secret id. */
function wrappedAccessor({ auth, data }: Json): Json {
  const accessor =
    (auth as Json | null | undefined)?.['accessor'] ??
    (data as Json | null | undefined)?.['secret_id_accessor'];
  return accessor === undefined ? {} : { wrapped_accessor: accessor };
}

const NOT_VALID = failure(400, 'wrapping token is not valid or does not exist');

/**
 * Handles `sys/wrapping/lookup` and `sys/wrapping/unwrap`. A lookup takes the token from the body or the header.
 * Unwrapping takes the wrapping token from the header; from the body only with another valid token in the header.
 */
export function wrappingAnswer(
  vaultState: VaultDoubleState,
  { path, body, token }: { readonly path: string; readonly body: Json; readonly token: string | undefined },
): DoubleReply {
  const given = body['token'] ?? token;
  const isUnwrap = path === 'sys/wrapping/unwrap';
  if (isUnwrap && body['token'] !== undefined && !isCaller(vaultState, token))
    return failure(403, 'permission denied');
  if (typeof given !== 'string' || given === '')
    return failure(403, isUnwrap ? 'permission denied' : 'error validating wrapping token: token is empty');
  const found = liveWrapping(vaultState, given);
  if (!found) return NOT_VALID;
  if (!isUnwrap) return ok({ data: facts(found) });
  if (body['token'] !== undefined && token === given) return SPENT_BY_ITSELF;
  vaultState.wrappings.delete(given);
  return { status: 200, body: found.body };
}

/** Reply if the wrapping token in the header is also in the body: the use of the header leaves none for the body. */
const SPENT_BY_ITSELF = failure(
  500,
  "1 error occurred:\n\t* error decrementing wrapping token's use-count: " +
    'invalid token entry provided for use count decrementing\n\n',
);

function isCaller(vaultState: VaultDoubleState, token: string | undefined): boolean {
  return liveToken(vaultState, token) !== undefined || liveWrapping(vaultState, token ?? '') !== undefined;
}

function liveWrapping(vaultState: VaultDoubleState, token: string): Wrapping | undefined {
  const found = vaultState.wrappings.get(token);
  return found && vaultState.now() < found.created + found.ttl * 1000 ? found : undefined;
}

function facts({ creationPath, created, ttl }: Wrapping): Json {
  const creation_time = new Date(created).toISOString();
  return { creation_path: creationPath, creation_time, creation_ttl: ttl };
}
