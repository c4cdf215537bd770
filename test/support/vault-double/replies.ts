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

/** Reply for a path that no engine or system backend has. */
export const unsupportedPath: DoubleReply = failure(404, '1 error occurred:\n\t* unsupported path\n\n');

/** Reply for a method that a path does not have. */
export const unsupportedOperation: DoubleReply = failure(405, 'unsupported operation');

/** Parses a duration: a number of seconds, or a text such as `60`, `60s`, `2m` or `1h`. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const [, number, unit = 's'] = /^(\d+)([smh]?)$/.exec(String(value)) ?? [];
  if (number === undefined) return undefined;
  return Number(number) * (unit === 'h' ? 3600 : unit === 'm' ? 60 : 1);
}

/** The token is unknown, expired or revoked. */
export function invalidToken(flavour: Flavour): DoubleReply {
  return flavour === 'openbao'
    ? failure(403, 'permission denied')
    : failure(403, '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n');
}
