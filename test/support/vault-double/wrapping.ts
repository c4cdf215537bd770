import { randomBytes } from 'node:crypto';
import { envelope, failure, ok, type DoubleReply } from './replies.js';
import type { Json, VaultDoubleState, Wrapping } from './state.js';

/**
 * Wraps the members of a reply for `ttl` seconds and returns the wrapping token; `creationPath` is the path
 * of the request.
 */
export type WrapHook = (creationPath: string, parts: Json, ttl?: number) => string;

export function wrap(
  vaultState: VaultDoubleState,
  { creationPath, parts, ttl }: { readonly creationPath: string; readonly parts: Json; readonly ttl: number },
): string {
  const token = `hvs.${randomBytes(18).toString('base64url')}`;
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
    wrap_info: { token, accessor: '', ttl: wrapTtl, creation_time, creation_path: path },
  });
}

/**
 * Handles `POST sys/wrapping/lookup` and `sys/wrapping/unwrap`; the wrapping token is in the header or in the
 * body, never in both.
 */
export function wrappingAnswer(
  vaultState: VaultDoubleState,
  { path, body, token }: { readonly path: string; readonly body: Json; readonly token: string | undefined },
): DoubleReply {
  const given = body['token'] ?? token;
  const found = typeof given === 'string' ? liveWrapping(vaultState, given) : undefined;
  if (typeof given !== 'string' || !found || (token !== undefined && body['token'] !== undefined))
    return failure(400, 'wrapping token is not valid or does not exist');
  if (path === 'sys/wrapping/lookup') return ok({ data: facts(found) });
  if (path !== 'sys/wrapping/unwrap') return failure(404);
  vaultState.wrappings.delete(given);
  return { status: 200, body: found.body };
}

function liveWrapping(vaultState: VaultDoubleState, token: string): Wrapping | undefined {
  const found = vaultState.wrappings.get(token);
  return found && vaultState.now() < found.created + found.ttl * 1000 ? found : undefined;
}

function facts({ creationPath, created, ttl }: Wrapping): Json {
  const creation_time = new Date(created).toISOString();
  return { creation_path: creationPath, creation_time, creation_ttl: ttl };
}
