import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Chunks of a response, and the number of characters that are sent together. */
export interface Pieces {
  readonly source: AsyncIterable<string>;
  /** 0 sends each chunk immediately. */
  readonly together: number;
}

/** For whole documents: small writes cost more than their bytes justify. */
export const LARGE_WRITES = 65_536;

/**
 * Chunks of a response whose first chunk has been fetched: until then, a failure can still become an error
 * response.
 */
export interface BegunPieces {
  readonly first: IteratorResult<string>;
  readonly rest: AsyncIterator<string>;
  readonly together: number;
}

/** Fetches the first chunk; rejects as the source does. */
export async function beginPieces({ source, together }: Pieces): Promise<BegunPieces> {
  const rest = source[Symbol.asyncIterator]();
  return { first: await rest.next(), rest, together };
}

/**
 * Writes all chunks as the client reads them, and ends the response. Rejects when the source fails, and
 * leaves the response unfinished. Resolves when the client disconnects. `stallMs` is the maximum time without
 * progress.
 */
export async function writePieces(
  res: ServerResponse,
  { first, rest, together }: BegunPieces,
  stallMs: number,
): Promise<void> {
  let text = '';
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      text += next.value;
      if (text.length < together) continue;
      if (!(await written(res, text, stallMs))) return;
      text = '';
    }
    res.end(text);
    if (res.writableLength > 0) res.setTimeout(stallMs);
  } finally {
    await rest.return?.();
  }
}

/** Writes a text and waits for free buffer space. Returns false when the client has disconnected. */
async function written(res: ServerResponse, text: string, stallMs: number): Promise<boolean> {
  if (res.destroyed) return false;
  if (res.write(text)) return true;
  // Without a `timeout` listener, Node closes the connection on a timeout.
  res.setTimeout(stallMs);
  const left = new AbortController();
  await Promise.race([once(res, 'drain', left), once(res, 'close', left)]).finally(() => {
    left.abort();
  });
  res.setTimeout(0);
  return !res.destroyed;
}
