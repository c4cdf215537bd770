import { oneLine } from '../../src/lib/one-line.js';
import { writeXml, type XmlOutput } from '../../src/yang/encoding/write-xml.js';
import {
  attributeOf,
  childElements,
  childText,
  type XmlElement,
} from '../../src/yang/encoding/xml-element.js';
import { BASE_1_1 } from './capabilities.js';

export const NETCONF = 'urn:ietf:params:xml:ns:netconf:base:1.0';

const MAX_TEXT_LENGTH = 1000;
const MAX_ERRORS = 32;
const MAX_NAME_LENGTH = 100;

/** Element `rpc-error` (RFC 6241 section 4.3). */
export interface RpcError {
  readonly type: string;
  readonly tag: string;
  readonly appTag: string;
  readonly message: string;
  /** Text of `error-path`, as {@link PathText} writes it. */
  readonly path: string;
  /** Leaves of `error-info` as `name: value`. */
  readonly info: string;
}

/** Answer of a server that refuses an operation. */
export class RpcFailed extends Error {
  override readonly name = 'RpcFailed';
  readonly errors: readonly [RpcError, ...RpcError[]];

  constructor(errors: readonly [RpcError, ...RpcError[]]) {
    super(`the server answers ${errors[0].tag}`);
    this.errors = errors;
  }
}

/** Returns the hello of a client, which may offer chunked framing (RFC 6242 section 4.2). */
export function helloText(offersChunks: boolean): string {
  const bases = ['urn:ietf:params:netconf:base:1.0', ...(offersChunks ? [BASE_1_1] : [])];
  const capabilities = bases.map((content) => ({
    namespace: NETCONF,
    name: 'capability',
    content,
  }));
  return documentText({
    namespace: NETCONF,
    name: 'hello',
    content: [{ namespace: NETCONF, name: 'capabilities', content: capabilities }],
  });
}

/** Returns a request with one operation. */
export function rpcText(messageId: number, operation: XmlOutput): string {
  return documentText({
    namespace: NETCONF,
    name: 'rpc',
    attributes: { 'message-id': String(messageId) },
    content: [operation],
  });
}

/** Operations that change no datastore and no state of the device. A session that ends takes back its locks. */
const WITHOUT_CHANGES: ReadonlySet<string> = new Set([
  'get',
  'get-config',
  'get-data',
  'get-schema',
  'lock',
  'unlock',
  'validate',
]);

/** Returns true for an operation of the IETF that only reads or locks; operations of vendors may do anything. */
export function isWithoutChange({ name, namespace }: XmlOutput): boolean {
  return WITHOUT_CHANGES.has(name) && namespace.startsWith('urn:ietf:params:xml:ns:');
}

function documentText(root: XmlOutput): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${writeXml(root)}`;
}

/** Returns the capabilities in a hello; undefined for another message. Accepts a hello without a namespace, which some servers send. */
export function capabilitiesIn(hello: XmlElement): readonly string[] | undefined {
  if (hello.name !== 'hello') return undefined;
  return childElements(hello, 'capabilities')
    .flatMap((list) => childElements(list, 'capability'))
    .map(({ text }) => text.trim());
}

/** Returns the message-id of a reply; undefined if it has none. */
export function messageIdOf(reply: XmlElement): number | undefined {
  const id = attributeOf(reply, 'message-id');
  return id !== undefined && /^[0-9]{1,15}$/.test(id) ? Number(id) : undefined;
}

/** Writes the element `error-path`, whose names have prefixes of its scope. */
export type PathText = (path: XmlElement) => string;

/** Throws RpcFailed for a reply with errors, at any depth outside of `data`. Warnings are no errors. */
export function requireNoErrors(reply: XmlElement, pathText: PathText): XmlElement {
  const [first, ...others] = errorElements(reply)
    .filter((error) => !isWarning(error))
    .slice(0, MAX_ERRORS)
    .map((error) => errorOf(error, pathText));
  if (first) throw new RpcFailed([first, ...others]);
  return reply;
}

/** Returns the warnings of a reply without their paths, at any depth outside of `data`. */
export function warningsIn(reply: XmlElement): readonly RpcError[] {
  return errorElements(reply)
    .filter(isWarning)
    .slice(0, MAX_ERRORS)
    .map((warning) => errorOf(warning, () => ''));
}

/** Returns the elements `rpc-error`. Some servers put them inside of elements of their own, such as `commit-results`. */
function errorElements(reply: XmlElement): readonly XmlElement[] {
  const found: XmlElement[] = [];
  const pending = reply.children.filter(({ name }) => name !== 'data').reverse();
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.name === 'rpc-error') found.push(next);
    else for (const child of next.children.toReversed()) pending.push(child);
  }
  return found;
}

function isWarning(error: XmlElement): boolean {
  return childText(error, 'error-severity') === 'warning';
}

/** Elements that Junos puts around a confirmation. */
const RESULTS: ReadonlySet<string> = new Set([
  'commit-results',
  'load-configuration-results',
  'routing-engine',
]);

function isConfirmation({ name, children }: XmlElement): boolean {
  if (name === 'ok' || name === 'commit-success') return true;
  return RESULTS.has(name) && children.some(isConfirmation);
}

/**
 * Returns how a reply without errors differs from a confirmation, which is `ok` (RFC 6241 section 4.4), also in the results of Junos, or
 * nothing but warnings; undefined for a confirmation.
 */
export function missingConfirmation(reply: XmlElement): string | undefined {
  if (reply.children.some(isConfirmation)) return undefined;
  const [other] = reply.children.filter(({ name }) => name !== 'rpc-error');
  if (other) return `has no <ok/> but <${oneLine(other.name, MAX_NAME_LENGTH)}>`;
  return reply.children.length > 0 ? undefined : 'is empty';
}

function errorOf(error: XmlElement, pathText: PathText): RpcError {
  const text = (name: string): string => oneLine(childText(error, name), MAX_TEXT_LENGTH);
  const info = childElements(error, 'error-info').flatMap(leavesOf).slice(0, MAX_INFO_LEAVES);
  return {
    type: text('error-type'),
    tag: text('error-tag') || 'operation-failed',
    appTag: text('error-app-tag'),
    message: text('error-message'),
    path: childElements(error, 'error-path').slice(0, 1).map(pathText).join(''),
    info: oneLine(info.join(', '), MAX_TEXT_LENGTH),
  };
}

const MAX_INFO_LEAVES = 8;

function leavesOf(element: XmlElement): readonly string[] {
  if (element.children.length > 0) return element.children.flatMap(leavesOf);
  const text = element.text.trim();
  return text === '' || element.name === 'error-number' ? [] : [`${element.name}: ${text.split('\n', 1)[0]}`];
}
