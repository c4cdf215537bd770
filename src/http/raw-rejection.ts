import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../core/problem.js';
import { problemResponse } from './response.js';
import { endAfter } from './connections.js';

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
