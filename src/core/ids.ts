/** Inputs of ids: the time in milliseconds since 1970, and five random bytes that distinguish processes. */
export interface RecordIdSources {
  readonly now: () => number;
  readonly random: Uint8Array;
}

/**
 * Creates a generator of ids with 24 hexadecimal digits: seconds since 1970, five random bytes and a counter.
 * Ids of one process sort in the order of their creation.
 */
export function createRecordIds({ now, random }: RecordIdSources): () => string {
  const process = Buffer.from(random.subarray(0, 5)).toString('hex');
  let last = 0;
  let count = 0;
  return () => {
    // A clock that is set back does not change the order.
    last = Math.max(last, Math.floor(now() / 1000));
    count = (count + 1) % 0x1000000;
    return hex(last, 8) + process + hex(count, 6);
  };
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}
