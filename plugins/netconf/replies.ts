import { UNKNOWN_NODES_HEADER, type UpstreamErrorInfo, type UpstreamReply } from '../../src/core/adapter.js';
import { isJsonObject, ownMember } from '../../src/json/json-object.js';
import { parseJson } from '../../src/json/strict-json.js';
import { oneLine } from '../../src/lib/one-line.js';

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

/** Creates the answer to a method that a resource does not have. */
export function notAllowed(method: string, what: string): RestconfFault {
  return refused(405, 'operation-not-supported', `${method} is not possible for ${what}`);
}

/** Returns a reply with YANG data. */
export function dataReply(status: number, value: unknown): UpstreamReply {
  return { status, headers: { 'content-type': YANG_JSON }, body: Buffer.from(JSON.stringify(value)) };
}

/** Reply to the caller as a thread writes it: its status, and its JSON in UTF-8. */
export interface ReplyBytes {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Paths of the nodes that the model does not have; absent: none. */
  readonly unknownNodes?: readonly string[];
}

/** Returns a reply with JSON. */
export function jsonReply(value: unknown): ReplyBytes {
  return { status: 200, body: new TextEncoder().encode(JSON.stringify(value)) };
}

/** Returns a reply with YANG data that a thread has written. */
export function bytesReply({ status, body, unknownNodes = [] }: ReplyBytes): UpstreamReply {
  const unknown =
    unknownNodes.length > 0 ? { [UNKNOWN_NODES_HEADER]: listOfStrings(unknownNodes) } : undefined;
  if (body.length === 0) return emptyReply(status, unknown);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return { status, headers: { 'content-type': YANG_JSON, ...unknown }, body: bytes };
}

/** Maximum number of paths in a header. */
const MAX_LISTED = 16;

/** Returns texts as the value of a header: a list of strings (RFC 9651 section 3.1). Other characters than ASCII are percent-encoded. */
function listOfStrings(texts: readonly string[]): string {
  return texts
    .slice(0, MAX_LISTED)
    .map((text) => `"${text.replaceAll(/[^ -~]|["\\]/gu, percentEncoded)}"`)
    .join(', ');
}

function percentEncoded(character: string): string {
  return Buffer.from(character).toString('hex').replaceAll(/../g, '%$&').toUpperCase();
}

/** Returns a reply without a body. */
export function emptyReply(status: number, headers: UpstreamReply['headers'] = {}): UpstreamReply {
  return { status, headers, body: Buffer.alloc(0) };
}

/**
 * Returns a reply with the warnings of the server in the member `warnings` of its JSON object, which is new for a reply without a
 * body. The status stays: callers take it for the result. Without warnings, returns the reply.
 */
export function withWarnings(reply: UpstreamReply, warnings: readonly string[]): UpstreamReply {
  if (warnings.length === 0) return reply;
  const member = JSON.stringify({ warnings: [...new Set(warnings)] });
  // The output of an operation is an object with one member.
  const others = reply.body.length > 0 ? `,${reply.body.toString().slice(1)}` : '}';
  const headers = { ...reply.headers, 'content-type': YANG_JSON };
  return { status: reply.status, headers, body: Buffer.from(member.slice(0, -1) + others) };
}

/** Returns the reply with the error report of a fault. */
export function faultReply({ status, errors }: RestconfFault): UpstreamReply {
  return dataReply(status, { 'ietf-restconf:errors': { error: errors } });
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
