import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { resemblesFraming } from '../core/header.js';
import { Problem } from '../core/problem.js';
import { countOf } from './authorize.js';
import { bodyLength } from './drain-request.js';
import type { Socket } from 'node:net';
import { problemResponse } from './response.js';
import { endAfter } from './connections.js';

/** Maximum number of header lines of a request; above an internal limit, Node silently drops headers. */
const HEADER_LINES = 100;

// RFC 9110 section 7.2 and RFC 3986 section 3.2: a registered name or an address, and a port.
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Returns the fault in the head of a request that Node's parser accepted. The head must mean the same to
 * every peer on the path (RFC 9112), so that no second request can hide in it. `mayUpgrade` permits a change
 * to WebSocket.
 */
export function validateRequestHead(req: IncomingMessage, mayUpgrade = false): Problem | undefined {
  const found = CHECKS.find(
    (check) => check.broken(req) && !(mayUpgrade && check.isUpgrade && isHandshake(req)),
  );
  if (!found) return undefined;
  const { detail, status } = found;
  return new Problem('malformed_request', detail, { status: status ?? 400 });
}

interface Check {
  readonly detail: string;
  readonly status?: number;
  readonly broken: (req: IncomingMessage) => boolean;
  /** True for the check that is skipped if an upgrade is permitted. */
  readonly isUpgrade?: true;
}

/** Returns true for a WebSocket handshake (RFC 6455 section 4.1): a GET of HTTP/1.1 without a body. */
function isHandshake({ method, httpVersion, headers }: IncomingMessage): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebSocket && method === 'GET' && httpVersion === '1.1' && bodyLength(headers) === 0;
}

const CHECKS: readonly Check[] = [
  {
    detail: `The request has more than ${HEADER_LINES} header lines.`,
    status: 431,
    broken: ({ rawHeaders }) => rawHeaders.length > 2 * HEADER_LINES,
  },
  {
    detail: 'The request must be HTTP/1.0 or HTTP/1.1.',
    status: 505,
    broken: ({ httpVersionMajor }) => httpVersionMajor !== 1,
  },
  {
    detail: 'The request needs exactly one Host header with a host and, if need be, a port.',
    broken: (req) => countOf('host', req) !== 1 || !HOST.test(req.headers.host ?? ''),
  },
  {
    detail: 'The only transfer coding is chunked, in HTTP/1.1.',
    broken: ({ headers, httpVersion }) => {
      const coding = headers['transfer-encoding'];
      return coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0');
    },
  },
  {
    // RFC 9110 section 8.4.1 defines no such content coding; a peer that treats it as framing sees another
    // body.
    detail: 'chunked is a transfer coding and no content coding.',
    broken: ({ headers }) => /\bchunked\b/i.test(headers['content-encoding'] ?? ''),
  },
  {
    detail: 'A header name resembles a framing header.',
    broken: ({ headers }) => {
      for (const name in headers) if (resemblesFraming(name)) return true;
      return false;
    },
  },
  {
    detail: 'This server does not switch protocols here.',
    isUpgrade: true,
    // Clients that would rather speak HTTP/2 offer h2c with ordinary requests; RFC 9110 section 7.8 lets us ignore it.
    broken: ({ headers }) => headers.upgrade !== undefined && headers.upgrade.toLowerCase() !== 'h2c',
  },
  {
    detail: 'The only expectation is 100-continue.',
    status: 417,
    broken: ({ headers }) => (headers.expect ?? '100-continue').toLowerCase() !== '100-continue',
  },
];

/** Time for the client to read a refusal before the connection is closed, in milliseconds. */
const LAST_WORDS_MS = 1_000;

/** Returns the Problem for a request that Node's parser or timeout rejected, by the error's code. */
export function parserProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('malformed_request', 'The head of the request is too large.', { status: 431 });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('malformed_request', 'The request did not arrive in time.', { status: 408 });
  return new Problem('malformed_request', 'The request is not well-formed HTTP/1.1.');
}

/**
 * Answers a malformed request on its raw socket and ends the connection. Writes nothing into another reply or
 * before a reply that is still pending. Returns true when the refusal was written.
 */
export function rejectRawSocket(
  socket: Socket,
  problem: Problem,
  { owed, requestId }: { readonly owed?: ServerResponse | undefined; readonly requestId: string },
): boolean {
  if (!socket.writable) return false;
  const due = owed && !owed.writableFinished;
  if (due && owed.req.complete) {
    endAfter(socket, owed);
    return false;
  }
  if (due && (owed.headersSent || owed.socket !== socket)) {
    socket.destroySoon();
    return false;
  }
  socket.end(message(problem, requestId));
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  return true;
}

function message(problem: Problem, requestId: string): string {
  const { status, headers, bytes } = problemResponse(problem, { instance: '/', requestId });
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', bytes.toString()].join('\r\n');
}
