import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from './interfaces.js';
import { malformed, RestconfFault, YANG_JSON } from './reply.js';

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Throws 406 unless the client accepts `application/yang-data+json` (RFC 8040 section 5.2). */
export function requireAcceptable(headers: IncomingHttpHeaders): void {
  const ranges = (headers.accept ?? '*/*')
    .toLowerCase()
    .split(',')
    .map((range) => range.trim());
  const taken = ranges.some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const refused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    return !refused && [YANG_JSON, 'application/*', '*/*'].includes(type);
  });
  if (taken) return;
  throw new RestconfFault(406, { tag: 'invalid-value', message: `this server answers in ${YANG_JSON} only` });
}

/**
 * Returns the single member of a message body (RFC 8040 section 4): its qualified name and its value. Throws
 * 400 or 415.
 */
export function messageBody({ headers, body }: SeenRequest): readonly [name: string, value: unknown] {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== YANG_JSON) {
    throw new RestconfFault(415, { tag: 'invalid-value', message: `this server takes ${YANG_JSON} only` });
  }
  const value = parsed(body);
  const members = isObject(value) ? Object.entries(value) : [];
  const [first] = members;
  if (!first || members.length > 1) throw malformed('a message body is an object with exactly one member');
  if (!first[0].includes(':')) throw malformed('the name of the top member needs its module');
  return first;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw malformed('the message body is not well-formed JSON');
  }
}
