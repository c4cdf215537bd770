import type { Json } from './interfaces.js';

export const YANG_JSON = 'application/yang-data+json';

/** Reply of the server; `body` is written as JSON, text unchanged. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** One error of RFC 8040 section 7: an `error-tag` and its message. */
interface ErrorReport {
  readonly tag: string;
  readonly message: string;
  /** Instance identifier (RFC 7951 section 6.11) of the node at fault. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that ends with an error report; the status follows the tag as in RFC 8040 section 7. */
export class RestconfFault extends Error {
  readonly reply: Reply;

  constructor(status: number, { tag, message, path, headers }: ErrorReport) {
    super(message);
    this.name = 'RestconfFault';
    const type = status === 401 || tag.startsWith('malformed') ? 'protocol' : 'application';
    const error = {
      'error-type': type,
      'error-tag': tag,
      ...(path !== undefined && { 'error-path': path }),
      'error-message': message,
    };
    this.reply = { status, headers: headers ?? {}, body: { 'ietf-restconf:errors': { error: [error] } } };
  }
}

export function notFound(): RestconfFault {
  return new RestconfFault(404, { tag: 'invalid-value', message: 'uri keypath not found' });
}

export function malformed(message: string): RestconfFault {
  return new RestconfFault(400, { tag: 'malformed-message', message });
}

export function notAllowed(allow: readonly string[]): RestconfFault {
  return new RestconfFault(405, {
    tag: 'operation-not-supported',
    message: `only ${allow.join(', ')} can be used on this resource`,
    headers: { allow: allow.join(', ') },
  });
}

/** An error report for a status that a test asks for. */
export function failureReply(status: number): Reply {
  const tag = status < 500 ? 'operation-not-supported' : 'operation-failed';
  return new RestconfFault(status, { tag, message: `the orchestrator was told to answer ${status}` }).reply;
}
