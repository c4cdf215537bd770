import type { UpstreamErrorInfo, UpstreamReply } from '../../src/core/adapter.js';
import { valueAt } from '../../src/core/pointer.js';
import type { RequestError } from '../../src/core/problem.js';
import { parseJson } from '../../src/core/strict-json.js';
import { elementContents, elementText, plainXml } from './xml.js';

/** One entry of `ietf-restconf:errors` (RFC 8040 section 7.1), with the members that callers can use. */
interface RestconfError {
  readonly tag: string;
  readonly message: string;
  readonly path: string;
}

/** Maximum size of an error report, in bytes; the host passes larger documents on unchanged. */
const MAX_DOCUMENT_BYTES = 262_144;
const MAX_ERRORS = 32;
const MAX_TEXT_LENGTH = 1000;
const NAMESPACE = 'urn:ietf:params:xml:ns:yang:ietf-restconf';

/**
 * Returns the text of an `errors` document (RFC 8040 section 7.1; JSON or XML); `undefined` for any other
 * document.
 */
export function explainErrors(reply: UpstreamReply): UpstreamErrorInfo | undefined {
  const [first, ...others] = errorsOf(reply.body);
  if (!first) return undefined;
  return {
    detail: first.message || first.tag.replaceAll('-', ' '),
    errors: [first, ...others].map(requestError),
  };
}

function requestError({ tag, message, path }: RestconfError): RequestError {
  return { pointer: path, message: [tag, message].filter((text) => text !== '').join(': ') };
}

function errorsOf(body: Buffer): readonly RestconfError[] {
  if (body.length > MAX_DOCUMENT_BYTES) return [];
  const text = body.toString('utf8').trimStart();
  const errors = text.startsWith('{') ? jsonErrors(body) : xmlErrors(text);
  return errors.filter(({ tag, message }) => tag !== '' || message !== '').slice(0, MAX_ERRORS);
}

function jsonErrors(body: Buffer): readonly RestconfError[] {
  const parsed = parseJson(body);
  if ('fault' in parsed) return [];
  // Drafts of the RFC, and servers built on them, omit the module's name.
  const list = valueAt(parsed.value, '/ietf-restconf:errors/error') ?? valueAt(parsed.value, '/errors/error');
  const entries: readonly unknown[] = Array.isArray(list) ? list : [list];
  return entries.map((entry) => errorFrom((name) => valueAt(entry, `/${name}`)));
}

function xmlErrors(text: string): readonly RestconfError[] {
  if (!text.startsWith('<') || !text.includes(NAMESPACE)) return [];
  return elementContents(plainXml(text), 'error').map((xml) => errorFrom((name) => elementText(xml, name)));
}

function errorFrom(member: (name: string) => unknown): RestconfError {
  return {
    tag: singleLine(member('error-tag')),
    message: singleLine(member('error-message')),
    path: singleLine(member('error-path')),
  };
}

/** Returns one line of limited length, because the text becomes part of a Problem. */
function singleLine(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH).replaceAll(/\s+/g, ' ').trim() : '';
}
