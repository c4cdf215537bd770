import { randomUUID } from 'node:crypto';
import type { Json } from './state.js';

/** Reply of the double; a body is sent as JSON with a trailing line break. */
export interface DoubleReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const done: DoubleReply = { status: 204 };

/** Returns a reply in Vault's envelope, with all its keys. */
export function ok(parts: Json, status = 200): DoubleReply {
  const empty = { data: null, wrap_info: null, warnings: null, auth: null };
  const lease = { lease_id: '', renewable: false, lease_duration: 0 };
  return { status, body: { request_id: randomUUID(), ...lease, ...empty, ...parts } };
}

export function failure(status: number, ...errors: readonly string[]): DoubleReply {
  return { status, body: { errors } };
}

export const notFound: DoubleReply = failure(404);

/** Reply to a request that no policy permits. */
export const denied: DoubleReply = failure(403, '1 error occurred:\n\t* permission denied\n\n');

/** The token is unknown, expired or revoked. */
export const invalidToken: DoubleReply = failure(
  403,
  '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n',
);

/** Reply for a method or a path that an engine does not have. */
export const unsupported: DoubleReply = failure(405, 'unsupported operation');
