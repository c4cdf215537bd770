import { collectGarbage } from '../../lib/collect-garbage.js';
import type { MemoryUse } from './load-samples.js';

/** Fraction of the limit below which the memory no longer counts as full. */
const RELIEF_FRACTION = 0.9;

/** Growth of the resident memory beyond what was accepted, in percentage points. */
const RESIDENT_MARGIN = 2;

/** Number of samples after which resident memory that nothing needs is accepted: five seconds. */
const RETAINED_SAMPLES = 50;

/** Number of samples between two garbage collections while the memory is full: one second. */
const COLLECTION_SAMPLES = 10;

/**
 * Creates a function that samples the memory and returns true while the memory is full. The memory is full from the
 * second consecutive sample above the limit, because a garbage collection may follow the first. It is no longer full
 * after a sample clearly below the limit.
 *
 * Resident memory that nothing needs counts for five seconds only: the allocator keeps it after a peak, and uses it again
 * for the next calls. It counts again as soon as it grows. While the memory is full, `collect` is called once
 * per second, because the refused calls allocate too little to cause a collection.
 */
export function createMemoryGauge(
  limit: number,
  read: () => MemoryUse,
  collect: () => void = () => {
    collectGarbage('regular');
  },
): () => boolean {
  let [wasExceeded, isFull] = [false, false];
  let [acceptedResident, retainedSamples, fullSamples] = [0, 0, 0];

  /** Returns the use that counts. */
  function use(): number {
    const { needed, resident } = read();
    const isTight = resident > limit && resident > acceptedResident + RESIDENT_MARGIN;
    retainedSamples = isTight && needed <= limit * RELIEF_FRACTION ? retainedSamples + 1 : 0;
    if (retainedSamples > RETAINED_SAMPLES) acceptedResident = resident;
    acceptedResident = Math.min(acceptedResident, resident);
    return isTight ? Math.max(needed, resident) : needed;
  }

  return () => {
    const value = use();
    const isExceeded = value > limit;
    isFull = (isExceeded && wasExceeded) || (isFull && value > limit * RELIEF_FRACTION);
    wasExceeded = isExceeded;
    fullSamples = isFull ? fullSamples + 1 : 0;
    if (fullSamples % COLLECTION_SAMPLES === 1) collect();
    return isFull;
  };
}
