import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { StallLimits } from './request-context.js';

/**
 * Maximum size of an unread body that the server discards to keep the connection, in bytes. The server closes
 * the connection of a larger body.
 */
const MAX_DRAINED_BODY_BYTES = 64 * 1024;

/** Returns true if the whole request has arrived, even if its body has not been read. */
export function isBodyComplete(req: IncomingMessage): boolean {
  return req.complete || bodyLength(req.headers) === 0;
}

/** Returns true if the connection can serve another request although this request's body is unread. */
export function canKeepAlive(req: IncomingMessage): boolean {
  if (isBodyComplete(req)) return true;
  // The client received no 100 (Continue), so the next bytes may be the body or another request.
  if (req.headers.expect !== undefined) return false;
  return bodyLength(req.headers) <= MAX_DRAINED_BODY_BYTES;
}

/**
 * Returns the body length in bytes that the request head announces (RFC 9112 section 6.3); Infinity for a
 * chunked body.
 */
export function bodyLength(headers: IncomingHttpHeaders): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Discards the rest of a request body. Closing the connection then does not reset it before the client has
 * read the response (RFC 9112 section 9.6). Resolves to false if the body exceeds a limit.
 */
export function drainRequest(req: IncomingMessage, { lingerMs, lingerBytes }: StallLimits): Promise<boolean> {
  return new Promise((resolve) => {
    let remaining = lingerBytes;
    const timer = setTimeout(stop, lingerMs, false);
    const onData = (chunk: Buffer) => {
      remaining -= chunk.length;
      if (remaining < 0) stop(false);
    };
    const onEnd = () => {
      stop(true);
    };
    function stop(isComplete: boolean): void {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('close', onEnd);
      resolve(isComplete);
    }
    req.on('data', onData).on('end', onEnd).on('close', onEnd).resume();
  });
}
