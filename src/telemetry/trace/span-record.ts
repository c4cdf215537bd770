import type { AnsweredRequest } from '../../core/metric.js';
import type { RequestTarget, ServedRequest } from '../../core/trace.js';

/**
 * An ended span, named after the OpenTelemetry semantic conventions for HTTP. Contains no query, no body and
 * no secret.
 */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent at the root of a trace. */
  readonly parentId: string | undefined;
  /** `tracestate`. */
  readonly state: string | undefined;
  readonly kind: 'server' | 'client';
  readonly name: string;
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isFailed: boolean;
}

/** The part of a span that describes its subject. */
type SpanFacts = Pick<SpanRecord, 'name' | 'attributes' | 'isFailed'>;

/** Methods that the semantic conventions name; a span reports others as `_OTHER`, so that values are few. */
const KNOWN_METHODS = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT QUERY TRACE'.split(' '));

function methodAttributes(method: string): Readonly<Record<string, string>> {
  if (KNOWN_METHODS.has(method)) return { 'http.request.method': method };
  return { 'http.request.method': '_OTHER', 'http.request.method_original': method };
}

/**
 * Returns the facts of a call. Method and route name the span, never the path. Only server errors mark the span as
 * failed; the code of a refused call has an attribute of gatehouse (HTTP server semantic conventions).
 */
export function callFacts(answered: AnsweredRequest, request: ServedRequest): SpanFacts {
  const { operation, adapter, method, path, status, requestId, code } = answered;
  const { scheme, host, route, clientAddress, protocolVersion, userAgent } = request;
  const isFailed = status >= 500;
  const shown = KNOWN_METHODS.has(method) ? method : 'HTTP';
  return {
    name: route === undefined ? shown : `${shown} ${route}`,
    attributes: {
      ...methodAttributes(method),
      'http.response.status_code': status,
      ...(route !== undefined && { 'http.route': route }),
      'url.scheme': scheme,
      'url.path': path,
      ...(host !== undefined && serverAttributes(scheme, host)),
      ...(clientAddress !== '' && { 'client.address': clientAddress }),
      'network.protocol.version': protocolVersion,
      ...(userAgent !== undefined && { 'user_agent.original': userAgent.slice(0, MAX_USER_AGENT_LENGTH) }),
      'gatehouse.request_id': requestId,
      ...(operation !== '' && { 'gatehouse.operation': operation }),
      ...(adapter !== '' && { 'gatehouse.adapter': adapter }),
      ...(code !== '' && { 'gatehouse.problem.code': code }),
      ...(isFailed && { 'error.type': code === '' ? String(status) : code }),
    },
    isFailed,
  };
}

const MAX_USER_AGENT_LENGTH = 256;

/** Returns the name and the port that the client asked for; nothing for a host that is not valid. */
function serverAttributes(scheme: string, host: string): Readonly<Record<string, string | number>> {
  const url = `${scheme}://${host}`;
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  return { 'server.address': hostname, 'server.port': portOf(protocol, port) };
}

/**
 * Returns the facts of a request to another server; `outcome` is the status of its reply, or the code of a
 * Problem (HTTP client semantic conventions). The URL has no query and no credentials.
 */
export function requestFacts({ method, url }: RequestTarget, outcome: number | string): SpanFacts {
  const { protocol, hostname, port, origin, pathname } = new URL(url);
  const isReply = typeof outcome === 'number';
  const isFailed = !isReply || outcome >= 400;
  return {
    name: KNOWN_METHODS.has(method) ? method : 'HTTP',
    attributes: {
      ...methodAttributes(method),
      'server.address': hostname,
      'server.port': portOf(protocol, port),
      'url.full': origin + pathname,
      'url.scheme': protocol.slice(0, -1),
      ...(isReply && { 'http.response.status_code': outcome }),
      ...(isFailed && { 'error.type': String(outcome) }),
    },
    isFailed,
  };
}

function portOf(protocol: string, port: string): number {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
