import { randomFillSync } from 'node:crypto';

/** Made at once: asking the system for each identifier would cost more than all else about it. */
const BATCH_BYTES = 8192;

/** Makes identifiers of so many random bytes, in hexadecimal digits. */
export function createRandomIds(): (bytes: 8 | 16) => string {
  const batch = Buffer.alloc(BATCH_BYTES);
  let used = BATCH_BYTES;
  return (bytes) => {
    if (used + bytes > BATCH_BYTES) {
      randomFillSync(batch);
      used = 0;
    }
    used += bytes;
    return batch.toString('hex', used - bytes, used);
  };
}
