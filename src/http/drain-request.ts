import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { StallLimits } from './request-context.js';

/** Bodies up to this size are swallowed for the sake of the connection; it is closed for the sake of larger ones. */
const WORTH_SWALLOWING = 64 * 1024;

/** True when all of a request has arrived, read or not. */
export function isBodyComplete(req: IncomingMessage): boolean {
  return req.complete || bodyLength(req.headers) === 0;
}

/** True when the connection can serve another request although nobody has read this one's body. */
export function canKeepAlive(req: IncomingMessage): boolean {
  if (isBodyComplete(req)) return true;
  // Nobody told the client to go on, so the next bytes may be the body or another request.
  if (req.headers.expect !== undefined) return false;
  return bodyLength(req.headers) <= WORTH_SWALLOWING;
}

/** Length of a body in bytes as the head announces it (RFC 9112 section 6.3); infinite for a chunked one. */
export function bodyLength(headers: IncomingHttpHeaders): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Reads and forgets the rest of a body, so that closing does not reset the connection before the client has read the
 * answer (RFC 9112 section 9.6). False when it did not end within the bounds.
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
