import { isOwnHeader } from '../../core/header.js';
import type { HeaderLines, StreamRequest } from '../../core/stream.js';
import type { TraceHeaders } from '../../core/trace.js';

/**
 * Headers by lower-case name, complete except for framing. An ordinary object, because objects without a prototype are slow
 * in V8; no forwarded name has an underscore, as `__proto__` does.
 */
type OutgoingHeaders = Record<string, string | string[]>;

/** Headers added by the adapter. */
interface AddedHeaders {
  /** Value of `Host`. */
  readonly host: string;
  /** Lower-case names of all headers that may carry the adapter's credentials. */
  readonly credentialHeaders: ReadonlySet<string>;
  readonly credentials: Readonly<Record<string, string>>;
  /** Trace headers of the request's span, if it is traced. */
  readonly trace?: TraceHeaders | undefined;
}

/**
 * Returns the headers for the orchestrator. Removes the caller's hop-by-hop headers (RFC 9110 section 7.6.1),
 * headers about the origin or the real target of a request, and everything that identifies the caller to this
 * server.
 */
export function requestHeaders(request: StreamRequest, additions: AddedHeaders): OutgoingHeaders {
  const hopByHop = hopByHopNames(request.headers);
  const token = callerTokenIn(request.headers);
  const { fixedHeaders = {} } = request;
  const headers: OutgoingHeaders = {};
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase();
    if (hopByHop.has(lower) || additions.credentialHeaders.has(lower) || isWithheld(lower, request)) continue;
    if (Object.hasOwn(fixedHeaders, lower)) continue;
    if (token !== undefined && value.includes(token)) continue;
    const previous = Object.hasOwn(headers, lower) ? headers[lower] : undefined;
    headers[lower] = previous === undefined ? value : [previous, value].flat();
  }
  Object.assign(headers, fixedHeaders);
  addForwarded(headers, request);
  Object.assign(headers, additions.trace, additions.credentials);
  headers['host'] = additions.host;
  headers['x-request-id'] = request.requestId;
  return headers;
}

/** Returns the caller's token, or the encoded name and password, if present. */
export function callerTokenIn(headers: HeaderLines): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return value === undefined ? undefined : /^(?:Bearer|Basic) +(\S+)$/i.exec(value)?.[1];
}

const CONNECTION = 'connection';
const NO_NAMES: ReadonlySet<string> = new Set();

function isConnection([name]: HeaderLines[number]): boolean {
  return name.length === CONNECTION.length && name.toLowerCase() === CONNECTION;
}

/** Returns the names that `Connection` lists: these headers are for this connection only. */
export function hopByHopNames(headers: HeaderLines): ReadonlySet<string> {
  if (!headers.some(isConnection)) return NO_NAMES;
  const listed = headers.filter(isConnection);
  return new Set(listed.flatMap(([, value]) => value.toLowerCase().split(',')).map((name) => name.trim()));
}

/**
 * Headers that identify the caller, or that could turn the request into one that the access rules did not
 * check.
 */
const WITHHELD_HEADERS: ReadonlySet<string> = new Set([
  'cf-connecting-ip',
  'client-cert',
  'client-cert-chain',
  'cookie2',
  'fastly-client-ip',
  'http2-settings',
  'remote-user',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-host',
  'x-original-method',
  'x-original-uri',
  'x-original-url',
  'x-real-ip',
  'x-remote-user',
  'x-request-id',
  'x-rewrite-url',
]);

/** Prefixes of headers with which reverse proxies name the caller to a server; callers may not send them. */
const IDENTITY_PREFIXES = [
  ...['ssl-client-', 'x-ssl-', 'x-client-cert', 'x-forwarded-client-', 'x-remote-', 'x-auth-request-'],
  ...['x-authenticated-', 'x-goog-authenticated-', 'x-ms-client-principal', 'x-amzn-oidc-', 'x-webauth-'],
];

function isWithheld(name: string, { isUpgrade }: StreamRequest): boolean {
  // Many servers read "_" as "-", so a rule for one name would miss the other.
  if (isOwnHeader(name) || WITHHELD_HEADERS.has(name) || name.includes('_')) return true;
  if (IDENTITY_PREFIXES.some((prefix) => name.startsWith(prefix))) return true;
  return !isUpgrade && name.startsWith('sec-websocket-');
}

function addForwarded(headers: OutgoingHeaders, { origin, mount, isUpgrade }: StreamRequest): void {
  const { address, scheme, host } = origin;
  const node = address.includes(':') ? `"[${address}]"` : address;
  headers['forwarded'] = `for=${node};host="${host}";proto=${scheme}`;
  headers['x-forwarded-for'] = address;
  headers['x-forwarded-host'] = host;
  headers['x-forwarded-prefix'] = mount;
  headers['x-forwarded-proto'] = scheme;
  if (!isUpgrade) return;
  headers['connection'] = 'Upgrade';
  headers['upgrade'] = 'websocket';
}
