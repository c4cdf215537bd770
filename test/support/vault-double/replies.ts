import { randomUUID } from 'node:crypto';
import type { Flavour, Json } from './state.js';

/** Reply of the double; a body is sent as JSON with a trailing line break. */
export interface DoubleReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns Vault's response envelope with all keys. */
export function envelope(parts: Json): Json {
  return {
    request_id: randomUUID(),
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: null,
    wrap_info: null,
    warnings: null,
    auth: null,
    ...parts,
  };
}

export function ok(parts: Json): DoubleReply {
  return { status: 200, body: envelope(parts) };
}

export function failure(status: number, ...errors: readonly string[]): DoubleReply {
  return { status, body: { errors } };
}

export const notFound: DoubleReply = failure(404);

/** Reply to a request that no policy permits. */
export const denied: DoubleReply = failure(403, '1 error occurred:\n\t* permission denied\n\n');

/** The token is unknown, expired or revoked. */
export function invalidToken(flavour: Flavour): DoubleReply {
  return flavour === 'openbao'
    ? failure(403, 'permission denied')
    : failure(403, '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n');
}
