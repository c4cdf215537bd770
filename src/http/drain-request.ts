import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { StallLimits } from './request-context.js';

/**
 * Maximum size of an unread body that is discarded to keep the connection, in bytes. After a larger body the
 * connection is closed.
 */
const WORTH_SWALLOWING = 64 * 1024;

/** Returns true when the whole request has arrived, whether it has been read or not. */
export function isBodyComplete(req: IncomingMessage): boolean {
  return req.complete || bodyLength(req.headers) === 0;
}

/** Returns true when the connection can serve another request although this request's body is unread. */
export function canKeepAlive(req: IncomingMessage): boolean {
  if (isBodyComplete(req)) return true;
  // The client received no 100 (Continue), so the next bytes may be the body or another request.
  if (req.headers.expect !== undefined) return false;
  return bodyLength(req.headers) <= WORTH_SWALLOWING;
}

/**
 * Returns the length of a body in bytes as the head announces it (RFC 9112 section 6.3); Infinity for a
 * chunked body.
 */
export function bodyLength(headers: IncomingHttpHeaders): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Discards the rest of a body, so that closing does not reset the connection before the client has read the
 * response (RFC 9112 section 9.6). Resolves to false when the body exceeds a limit.
 */
export function drainRequest(req: IncomingMessage, { lingerMs, lingerBytes }: StallLimits): Promise<boolean> {
  return new Promise((resolve) => {
    let left = lingerBytes;
    const timer = setTimeout(stop, lingerMs, false);
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) stop(false);
    };
    const ended = () => {
      stop(true);
    };
    function stop(whole: boolean): void {
      clearTimeout(timer);
      req.off('data', count).off('end', ended).off('close', ended);
      resolve(whole);
    }
    req.on('data', count).on('end', ended).on('close', ended).resume();
  });
}
