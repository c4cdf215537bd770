import type { UpstreamErrorInfo, UpstreamReply } from '../../src/core/adapter.js';
import { isJsonObject, ownMember } from '../../src/core/json-object.js';
import { oneLine } from '../../src/core/one-line.js';
import { Problem } from '../../src/core/problem.js';
import { parseJson } from '../../src/core/strict-json.js';
import { EncodingFault } from '../../src/yang/encoding/instance-model.js';

export const YANG_JSON = 'application/yang-data+json';

/** Entry of `ietf-restconf:errors` (RFC 8040 section 7.1). */
export interface RestconfError {
  readonly 'error-type': string;
  readonly 'error-tag': string;
  readonly 'error-app-tag'?: string;
  readonly 'error-path'?: string;
  readonly 'error-message'?: string;
  readonly 'error-info'?: Readonly<Record<string, unknown>> | string;
}

/** Answer with an error report. It is thrown where the rest of a call cannot go on. */
export class RestconfFault extends Error {
  override readonly name = 'RestconfFault';
  readonly status: number;
  readonly errors: readonly RestconfError[];

  constructor(status: number, errors: readonly RestconfError[]) {
    super(errors[0]?.['error-message'] ?? 'refused');
    this.status = status;
    this.errors = errors;
  }
}

/** Creates the answer to a call that is refused before the server is asked, or after what it said. */
export function refused(status: number, tag: string, message: string): RestconfFault {
  return new RestconfFault(status, [
    { 'error-type': 'application', 'error-tag': tag, 'error-message': message },
  ]);
}

/** Returns a reply with YANG data. */
export function dataReply(status: number, value: unknown): UpstreamReply {
  return { status, headers: { 'content-type': YANG_JSON }, body: Buffer.from(JSON.stringify(value)) };
}

/** Returns a reply without a body. */
export function emptyReply(status: number, headers: UpstreamReply['headers'] = {}): UpstreamReply {
  return { status, headers, body: Buffer.alloc(0) };
}

/** Returns the reply with the error report of a fault. */
export function faultReply({ status, errors }: RestconfFault): UpstreamReply {
  return dataReply(status, { 'ietf-restconf:errors': { error: errors } });
}

/** Returns what a reply contains. Throws `upstream_bad_reply` for data that cannot be written as JSON. */
export function fromReply<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EncodingFault)) throw error;
    const detail = `the reply of the server cannot be written as JSON: ${error.place} ${error.message}`;
    throw new Problem('upstream_bad_reply', oneLine(detail, MAX_TEXT_LENGTH));
  }
}

const MAX_TEXT_LENGTH = 1000;

/** Returns the texts of an error report; undefined for another reply. */
export function explainFault({ body }: UpstreamReply): UpstreamErrorInfo | undefined {
  const parsed = parseJson(body);
  const value = 'value' in parsed ? parsed.value : undefined;
  const list = ownMember(ownMember(value, 'ietf-restconf:errors'), 'error');
  const errors = (Array.isArray(list) ? list : []).filter(isJsonObject).map((error) => {
    const text = (name: string): string => {
      const member = ownMember(error, name);
      return typeof member === 'string' ? oneLine(member, MAX_TEXT_LENGTH) : '';
    };
    const [tag, message, info] = [text('error-tag'), text('error-message'), text('error-info')];
    const words = [message || tag.replaceAll('-', ' '), info].filter((part) => part !== '').join(': ');
    return { pointer: text('error-path'), message: `${tag}: ${words}`, detail: words };
  });
  const [first] = errors;
  return (
    first && { detail: first.detail, errors: errors.map(({ pointer, message }) => ({ pointer, message })) }
  );
}
