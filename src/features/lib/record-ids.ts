/** Inputs of ids: a clock in milliseconds since 1970, and five random bytes that identify the process. */
interface RecordIdSources {
  readonly now: () => number;
  readonly random: Uint8Array;
}

/**
 * Creates a generator of ids with 24 hexadecimal digits: seconds since 1970, the random bytes and a counter.
 * Ids of one process sort in the order of their creation.
 */
export function createRecordIds({ now, random }: RecordIdSources): () => string {
  const processPart = Buffer.from(random.subarray(0, 5)).toString('hex');
  let lastSeconds = 0;
  let count = 0;
  return () => {
    // Keeps the order if the clock is set back.
    lastSeconds = Math.max(lastSeconds, Math.floor(now() / 1000));
    count = (count + 1) % 0x1000000;
    return hex(lastSeconds, 8) + processPart + hex(count, 6);
  };
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}
