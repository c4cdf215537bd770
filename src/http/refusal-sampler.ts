import { BoundedMap } from '../lib/bounded-map.js';
import { networkOf } from '../lib/network-of.js';

/** Minimum time between two records of a network, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Decides which refusals of callers without a token are recorded, so that nobody can fill the audit trail. */
export interface RefusalSampler {
  /**
   * Returns the number of refusals from the address's network since its last record, if this one is to be recorded;
   * otherwise counts this one and returns undefined. `now` is in milliseconds since 1970.
   */
  readonly take: (address: string, now: number) => number | undefined;
}

interface NetworkRefusals {
  readonly recordedAt: number;
  skipped: number;
}

/** Creates a sampler that records the first refusal of each network. */
export function createRefusalSampler(): RefusalSampler {
  const networks = new BoundedMap<string, NetworkRefusals>({ maxEntries: 10_000 });
  return {
    take(address, now) {
      const network = networkOf(address);
      const known = networks.get(network);
      if (known && Math.abs(now - known.recordedAt) < INTERVAL_MS) {
        known.skipped += 1;
        return undefined;
      }
      networks.set(network, { recordedAt: now, skipped: 0 });
      return known?.skipped ?? 0;
    },
  };
}
