/** Collects bytes up to a limit. */
export interface ByteSink {
  /** False, and nothing kept, when the limit would be passed. */
  append(chunk: Uint8Array): boolean;
  bytes(): Buffer;
}

/**
 * Copies chunks into one growing buffer instead of listing them: a reply in chunks of one byte would cost
 * a hundred times its size as a list. Makes room for `expected` bytes at first.
 */
export function createByteSink(limit: number, expected: number): ByteSink {
  let buffer = Buffer.allocUnsafe(Math.min(limit, expected));
  let length = 0;
  function grow(needed: number): void {
    const next = Buffer.allocUnsafe(Math.min(limit, Math.max(needed, 2 * buffer.length)));
    buffer.copy(next, 0, 0, length);
    buffer = next;
  }
  return {
    append(chunk) {
      const needed = length + chunk.length;
      if (needed > limit) return false;
      if (needed > buffer.length) grow(needed);
      buffer.set(chunk, length);
      length = needed;
      return true;
    },
    bytes: () => buffer.subarray(0, length),
  };
}
