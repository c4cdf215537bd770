import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.js';

/**
 * Creates a generator of ids with 24 hexadecimal digits: seconds since 1970, five random bytes and a counter.
 * Ids of one generator sort in the order of their creation.
 */
export function createRecordIds(clock: Clock): () => string {
  const processPart = randomBytes(5).toString('hex');
  let lastSeconds = 0;
  let count = 0;
  return () => {
    // Keeps the order if the clock is set back.
    lastSeconds = Math.max(lastSeconds, Math.floor(clock.now() / 1000));
    count = (count + 1) % 0x1000000;
    return hex(lastSeconds, 8) + processPart + hex(count, 6);
  };
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}
