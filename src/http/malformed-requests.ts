import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { resemblesFraming } from '../core/header.js';
import type { Log } from '../core/log.js';
import { Problem } from '../core/problem.js';
import { countHeader } from './authorize.js';
import { peerAddress } from './client-address.js';
import { type Connections, endAfter } from './connections.js';
import { bodyLength } from './drain-request.js';
import { problemResponse } from './response.js';

/** Maximum number of header lines of a request. Above its own limit, Node would silently drop headers. */
const MAX_HEADER_LINES = 100;

// RFC 9110 section 7.2 and RFC 3986 section 3.2: a registered name or an address, and a port.
const HOST_PATTERN = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Checks the head of a request that Node's parser accepted, and returns the Problem of the first violation.
 * Every peer on the path must interpret the head in the same way (RFC 9112), so that the head cannot hide a
 * second request. `mayUpgrade` permits an upgrade to WebSocket.
 */
export function validateRequestHead(req: IncomingMessage, mayUpgrade = false): Problem | undefined {
  const violated = HEAD_CHECKS.find(
    (check) => check.isViolated(req) && !(mayUpgrade && check.isUpgrade && isWebSocketHandshake(req)),
  );
  if (!violated) return undefined;
  const { detail, status } = violated;
  return new Problem('malformed_request', detail, { status: status ?? 400 });
}

interface HeadCheck {
  readonly detail: string;
  readonly status?: number;
  readonly isViolated: (req: IncomingMessage) => boolean;
  /** True for the check that does not apply to permitted WebSocket handshakes. */
  readonly isUpgrade?: true;
}

/** Paths of health checks. */
const HEALTH_CHECK_PATHS: ReadonlySet<string> = new Set(['/readyz', '/livez', '/health/status']);

/**
 * Returns true for a health check of HTTP/1.0 without Host, which that version does not require (RFC 1945). HAProxy,
 * keepalived and older monitors send such checks unless they are configured otherwise.
 */
function isHealthCheckWithoutHost(req: IncomingMessage): boolean {
  const isWithoutHost = req.httpVersion === '1.0' && countHeader('host', req) === 0;
  return isWithoutHost && HEALTH_CHECK_PATHS.has((req.url ?? '').split('?', 1)[0] ?? '');
}

/** Returns true for a WebSocket handshake (RFC 6455 section 4.1): a GET of HTTP/1.1 without a body. */
function isWebSocketHandshake({ method, httpVersion, headers }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebSocket && method === 'GET' && httpVersion === '1.1' && bodyLength(headers) === 0;
}

const HEAD_CHECKS: readonly HeadCheck[] = [
  {
    detail: `The request has more than ${MAX_HEADER_LINES} header lines.`,
    status: 431,
    isViolated: ({ rawHeaders }) => rawHeaders.length > 2 * MAX_HEADER_LINES,
  },
  {
    detail: 'The request must be HTTP/1.0 or HTTP/1.1.',
    status: 505,
    isViolated: ({ httpVersionMajor }) => httpVersionMajor !== 1,
  },
  {
    detail: 'The request needs exactly one Host header with a host and an optional port.',
    isViolated: (req) =>
      !isHealthCheckWithoutHost(req) &&
      (countHeader('host', req) !== 1 || !HOST_PATTERN.test(req.headers.host ?? '')),
  },
  {
    detail: 'The only transfer coding is chunked, in HTTP/1.1.',
    isViolated: ({ headers, httpVersion }) => {
      const coding = headers['transfer-encoding'];
      return coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0');
    },
  },
  {
    // RFC 9110 section 8.4.1 defines no content coding `chunked`. A peer that treats the value as framing
    // reads another body.
    detail: 'chunked is a transfer coding, not a content coding.',
    isViolated: ({ headers }) => /\bchunked\b/i.test(headers['content-encoding'] ?? ''),
  },
  {
    detail: 'A header name resembles a framing header.',
    isViolated: ({ headers }) => {
      for (const name in headers) if (resemblesFraming(name)) return true;
      return false;
    },
  },
  {
    detail: 'This server does not switch protocols here.',
    isUpgrade: true,
    // Clients that prefer HTTP/2 offer h2c in ordinary requests. RFC 9110 section 7.8 permits a server to
    // ignore the offer.
    isViolated: ({ headers }) => headers.upgrade !== undefined && headers.upgrade.toLowerCase() !== 'h2c',
  },
  {
    detail: 'The only expectation is 100-continue.',
    status: 417,
    isViolated: ({ headers }) => (headers.expect ?? '100-continue').toLowerCase() !== '100-continue',
  },
];

/** Refuses the requests that Node's parser rejects, and CONNECT, with a problem document; logs each refusal. */
export function rejectMalformedRequests(server: Server, connections: Connections, log: Log): void {
  const refuse = (socket: Socket, problem: Problem, reason: string) => {
    const requestId = randomUUID();
    if (!rejectRawSocket(socket, problem, { pending: connections.latestResponse(socket), requestId })) return;
    const address = peerAddress(socket);
    log.info('request refused', { status: problem.status, reason, requestId, clientAddress: address });
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // This code means that the client disconnected in the middle of a request.
    if (error.code === 'HPE_INVALID_EOF_STATE') socket.destroy();
    const target = error.code === 'ERR_SSL_HTTP_REQUEST' ? transportOf(socket) : socket;
    refuse(target, parserProblem(error.code), error.code ?? 'unknown');
  });
  server.on('connect', (_req: IncomingMessage, socket: Socket) => {
    // Node has detached the socket. Without a listener, a reset by the peer would crash the process.
    socket.on('error', () => undefined);
    const headers = { allow: 'DELETE, GET, HEAD, POST, PUT' };
    refuse(
      socket,
      new Problem('method_not_allowed', 'This server opens no tunnels.', { headers }),
      'CONNECT',
    );
  });
}

/**
 * Returns the connection under a TLS socket. A client that sends plain HTTP to the TLS port reads only plain text; Node closes the
 * connection after the listener, and what was written by then is sent.
 */
function transportOf(secured: Socket & { readonly _parent?: unknown }): Socket {
  return secured._parent instanceof Socket ? secured._parent : secured;
}

/** Time for the client to read a refusal before the server closes the connection, in milliseconds. */
const REFUSAL_READ_MS = 1_000;

/** Returns the Problem for the code of an error with which Node's parser or timeout rejected a request. */
function parserProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('malformed_request', 'The head of the request is too large.', { status: 431 });
  if (code === 'ERR_SSL_HTTP_REQUEST')
    return new Problem('malformed_request', 'This port expects HTTPS, and the request is plain HTTP.', {
      advice: 'Write https:// in place of http:// in the address.',
    });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('malformed_request', 'The request did not arrive in time.', { status: 408 });
  return new Problem('malformed_request', 'The request is not well-formed HTTP/1.1.');
}

/**
 * Writes a refusal to the raw socket of a malformed request and ends the connection. Does not write into or
 * before a pending response of the same connection. Returns true if the function wrote the refusal.
 */
function rejectRawSocket(
  socket: Socket,
  problem: Problem,
  { pending, requestId }: { readonly pending?: ServerResponse | undefined; readonly requestId: string },
): boolean {
  if (!socket.writable) return false;
  const isPending = pending && !pending.writableFinished;
  if (isPending && pending.req.complete) {
    endAfter(socket, pending);
    return false;
  }
  if (isPending && (pending.headersSent || pending.socket !== socket)) {
    socket.destroySoon();
    return false;
  }
  socket.end(refusalText(problem, requestId));
  setTimeout(() => socket.destroy(), REFUSAL_READ_MS).unref();
  return true;
}

function refusalText(problem: Problem, requestId: string): string {
  const { status, headers, body } = problemResponse(problem, { instance: '/', requestId });
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body.toString()].join('\r\n');
}
