import type { UpstreamErrorInfo, UpstreamReply } from '../../src/core/adapter.js';
import type { RequestError } from '../../src/core/problem.js';
import { withoutByteOrderMark } from '../../src/json/byte-order-mark.js';
import { valueAt } from '../../src/json/pointer.js';
import { parseJson } from '../../src/json/strict-json.js';
import { oneLine } from '../../src/lib/one-line.js';
import { elementContents, elementText, elementTexts, plainXml } from './xml.js';

/** One entry of `ietf-restconf:errors` (RFC 8040 section 7.1), with the members that callers can use. */
interface RestconfError {
  readonly tag: string;
  readonly message: string;
  readonly path: string;
  /** Text of `error-info`, such as the name of the bad element. */
  readonly info: string;
}

/** Maximum size of an error report, in bytes; the host passes larger documents on unchanged. */
const MAX_DOCUMENT_BYTES = 65_536;
/** Maximum number of entries of a report that are read; each takes time. */
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
    detail: withInfo(first.message || first.tag.replaceAll('-', ' '), first.info),
    errors: [first, ...others].map(requestError),
  };
}

function requestError({ tag, message, path, info }: RestconfError): RequestError {
  const text = [tag, message].filter((part) => part !== '').join(': ');
  return { pointer: path, message: withInfo(text, info) };
}

/** Appends the text of `error-info`, unless the message contains it already. */
function withInfo(text: string, info: string): string {
  return info === '' || text.includes(info) ? text : oneLine(`${text}: ${info}`, MAX_TEXT_LENGTH);
}

function errorsOf(body: Buffer): readonly RestconfError[] {
  if (body.length > MAX_DOCUMENT_BYTES) return [];
  const text = body.toString('utf8').trimStart();
  const errors = text.startsWith('{') ? jsonErrors(body) : xmlErrors(text);
  return errors.filter(({ tag, message }) => tag !== '' || message !== '');
}

function jsonErrors(body: Buffer): readonly RestconfError[] {
  const parsed = parseJson(withoutByteOrderMark(body));
  if ('fault' in parsed) return [];
  // Drafts of the RFC, and servers built on them, omit the module's name.
  const list = valueAt(parsed.value, '/ietf-restconf:errors/error') ?? valueAt(parsed.value, '/errors/error');
  const entries: readonly unknown[] = Array.isArray(list) ? list : [list];
  return entries
    .slice(0, MAX_ERRORS)
    .map((entry) => errorFrom((name) => valueAt(entry, `/${name}`), jsonInfo(valueAt(entry, '/error-info'))));
}

function xmlErrors(text: string): readonly RestconfError[] {
  if (!text.startsWith('<') || !text.includes(NAMESPACE)) return [];
  return elementContents(plainXml(text), 'error')
    .slice(0, MAX_ERRORS)
    .map((xml) => errorFrom((name) => elementText(xml, name), xmlInfo(xml)));
}

function errorFrom(member: (name: string) => unknown, info: string): RestconfError {
  return {
    tag: singleLine(member('error-tag')),
    message: singleLine(member('error-message')),
    path: singleLine(member('error-path')),
    info,
  };
}

/** Maximum number of leaves of `error-info`. */
const MAX_INFO_LEAVES = 8;

/** Returns the leaves of `error-info` as `name: value`, or its text, of which some servers send a stack trace. */
function jsonInfo(info: unknown): string {
  if (typeof info === 'string') return singleLine(info.trim().split('\n', 1)[0]);
  return singleLine(leavesOf(info, '').slice(0, MAX_INFO_LEAVES).join(', '));
}

function leavesOf(value: unknown, name: string): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) =>
      leavesOf(member, Array.isArray(value) ? name : key),
    );
  if (name === '' || value === undefined) return [];
  return [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
}

/** Returns the same for the element `error-info`. */
function xmlInfo(error: string): string {
  const text = elementText(error, 'error-info');
  if (text !== undefined && text.trim() !== '') return jsonInfo(text);
  const [content = ''] = elementContents(error, 'error-info');
  const [inner = ''] = content.split(/<\/(?:[\w.-]+:)?error-info\s*>/, 1);
  return jsonInfo(elementTexts(inner).map(([name, leaf]) => ({ [name]: leaf })));
}

/** Returns one line of limited length, because the text becomes part of a Problem. */
function singleLine(value: unknown): string {
  return typeof value === 'string' ? oneLine(value, MAX_TEXT_LENGTH) : '';
}
