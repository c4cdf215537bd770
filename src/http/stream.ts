import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Chunks of a response, and the minimum size of a write. */
export interface ResponseChunks {
  readonly source: AsyncIterable<string | Uint8Array>;
  /** Minimum number of characters in one write; 0 writes each chunk immediately. Bytes are always written. */
  readonly batchLength: number;
}

/** Minimum size of a write for complete documents, because each write has a fixed cost. */
export const DOCUMENT_BATCH_LENGTH = 65_536;

/**
 * Chunks of a response after the first chunk has arrived. Before the first chunk, a failure can still become
 * an error response.
 */
export interface StartedChunks {
  readonly first: IteratorResult<string | Uint8Array>;
  readonly rest: AsyncIterator<string | Uint8Array>;
  readonly batchLength: number;
}

/** Fetches the first chunk. Rejects with the error of the source. */
export async function startChunks({ source, batchLength }: ResponseChunks): Promise<StartedChunks> {
  const rest = source[Symbol.asyncIterator]();
  return { first: await rest.next(), rest, batchLength };
}

/**
 * Writes all chunks at the speed of the client, and ends the response. Rejects if the source fails; the
 * response is then unfinished. Resolves early if the client disconnects. `stallMs` is the maximum time in
 * which the client reads nothing.
 */
export async function writeChunks(
  res: ServerResponse,
  { first, rest, batchLength }: StartedChunks,
  stallMs: number,
): Promise<void> {
  let text = '';
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      const { value } = next;
      const isString = typeof value === 'string';
      if (isString) text += value;
      if (isString && text.length < batchLength) continue;
      if ((isString || text !== '') && !(await writePiece(res, text, stallMs))) return;
      text = '';
      if (!isString && !(await writePiece(res, value, stallMs))) return;
    }
    res.end(text);
    if (res.writableLength > 0) res.setTimeout(stallMs);
  } finally {
    await rest.return?.();
  }
}

/** Writes a piece and waits for free buffer space. Returns false if the client has disconnected. */
async function writePiece(
  res: ServerResponse,
  piece: string | Uint8Array,
  stallMs: number,
): Promise<boolean> {
  if (res.destroyed) return false;
  if (res.write(piece)) return true;
  // Node closes the connection on a timeout, because the response has no `timeout` listener.
  res.setTimeout(stallMs);
  const waiting = new AbortController();
  await Promise.race([once(res, 'drain', waiting), once(res, 'close', waiting)]).finally(() => {
    waiting.abort();
  });
  res.setTimeout(0);
  return !res.destroyed;
}
