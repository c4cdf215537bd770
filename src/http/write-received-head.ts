import type { ServerResponse } from 'node:http';
import type { HeaderLines } from '../core/stream.js';

/** Head of a response that this process relays. */
interface ReceivedHead {
  readonly status: number;
  /** Reason phrase; absent: that of the status. */
  readonly statusText?: string | undefined;
  readonly lines: HeaderLines;
}

/**
 * Writes a received head with all of its lines, and with the headers that the response already has. A received header
 * replaces one of the same name, except Vary, whose names are added. Throws a TypeError, and leaves the response
 * without the received headers, if a name or a value is invalid.
 */
export function writeReceivedHead(res: ServerResponse, { status, statusText, lines }: ReceivedHead): void {
  if (statusText !== undefined) res.statusMessage = statusText;
  if (res.getHeaderNames().length === 0) {
    res.writeHead(status, lines.flat());
    return;
  }
  // After `setHeader`, Node's `writeHead` with a list keeps only the last line of each name.
  removeHeaders(res, lines, (name) => name !== 'vary');
  try {
    for (const [name, value] of lines) res.appendHeader(name, value);
  } catch (error) {
    removeHeaders(res, lines, () => true);
    throw error;
  }
  res.writeHead(status);
}

function removeHeaders(res: ServerResponse, lines: HeaderLines, isRemoved: (name: string) => boolean): void {
  for (const name of new Set(lines.map(([received]) => received.toLowerCase())))
    if (isRemoved(name)) res.removeHeader(name);
}
