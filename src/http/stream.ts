import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Pieces of an answer, and how many characters of them are sent together. */
export interface Pieces {
  readonly source: AsyncIterable<string>;
  /** 0 sends each piece at once. */
  readonly together: number;
}

/** For whole documents: small writes cost more than their bytes. */
export const LARGE_WRITES = 65_536;

/** Pieces of an answer of which the first has been fetched: what fails by then can still be answered as a failure. */
export interface BegunPieces {
  readonly first: IteratorResult<string>;
  readonly rest: AsyncIterator<string>;
  readonly together: number;
}

/** Fetches the first piece; rejects as the source does. */
export async function beginPieces({ source, together }: Pieces): Promise<BegunPieces> {
  const rest = source[Symbol.asyncIterator]();
  return { first: await rest.next(), rest, together };
}

/**
 * Writes all pieces as the caller reads them, and ends the answer. Rejects when the source fails, and leaves the answer
 * unfinished then; resolves without another word when the caller leaves. `stallMs` is how long a caller may not read.
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

/** False when there is nobody left to read. */
async function written(res: ServerResponse, text: string, stallMs: number): Promise<boolean> {
  if (res.destroyed) return false;
  if (res.write(text)) return true;
  // Without anything to do on a time-out, Node ends the connection.
  res.setTimeout(stallMs);
  const left = new AbortController();
  await Promise.race([once(res, 'drain', left), once(res, 'close', left)]).finally(() => {
    left.abort();
  });
  res.setTimeout(0);
  return !res.destroyed;
}
