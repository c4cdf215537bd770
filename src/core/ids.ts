/** What makes ids: the time in milliseconds since 1970, and five random bytes that tell processes apart. */
export interface RecordIdSources {
  readonly now: () => number;
  readonly random: Uint8Array;
}

/**
 * Makes ids of 24 hexadecimal digits: seconds since 1970, five random bytes, and a count. Those of one process sort in
 * the order in which they were made.
 */
export function createRecordIds({ now, random }: RecordIdSources): () => string {
  const process = Buffer.from(random.subarray(0, 5)).toString('hex');
  let last = 0;
  let count = 0;
  return () => {
    // A clock that is set back does not bring the order into disarray.
    last = Math.max(last, Math.floor(now() / 1000));
    count = (count + 1) % 0x1000000;
    return hex(last, 8) + process + hex(count, 6);
  };
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}
