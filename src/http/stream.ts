import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Pieces of an answer of which the first has been fetched: what fails by then can still be answered as a failure. */
export interface BegunPieces {
  readonly first: IteratorResult<string>;
  readonly rest: AsyncIterator<string>;
}

/** Fetches the first piece; rejects as the source does. */
export async function beginPieces(pieces: AsyncIterable<string>): Promise<BegunPieces> {
  const rest = pieces[Symbol.asyncIterator]();
  return { first: await rest.next(), rest };
}

/** Pieces are sent together until they have this many characters: small writes cost more than their bytes. */
const TOGETHER = 65_536;

/**
 * Writes all pieces as the caller reads them, and ends the answer. Rejects when the source fails, and leaves the answer
 * unfinished then; resolves without another word when the caller leaves. `stallMs` is how long a caller may not read.
 */
export async function writePieces(
  res: ServerResponse,
  { first, rest }: BegunPieces,
  stallMs: number,
): Promise<void> {
  let text = '';
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      text += next.value;
      if (text.length < TOGETHER) continue;
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
