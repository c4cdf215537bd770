import { BoundedMap } from '../lib/bounded-map.js';
import { networkOf } from '../lib/network-of.js';

/** Length of the time in which the records of a network are counted, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Maximum number of records of calls to one operation that were checked, for one network and interval. */
const MAX_CHECKED = 20;

/** A call of an unknown caller that is to be recorded. */
interface UnknownCall {
  readonly address: string;
  readonly operation: string;
  /** True for a call that was refused before anything was checked. */
  readonly isUnchecked: boolean;
}

/** Decides which calls of unknown callers are recorded, so that nobody can fill the audit trail. */
export interface RefusalSampler {
  /**
   * Returns the number of calls from the address's network that were not recorded since its last record, if this one is to be
   * recorded; otherwise counts this one and returns undefined. `now` is in milliseconds since 1970.
   */
  readonly take: (call: UnknownCall, now: number) => number | undefined;
}

interface NetworkCalls {
  readonly since: number;
  recorded: number;
  skipped: number;
}

/**
 * Creates a sampler that records, of each network and minute, the first unchecked refusal, and the first
 * {@link MAX_CHECKED} other calls to each operation.
 */
export function createRefusalSampler(): RefusalSampler {
  const networks = new BoundedMap<string, NetworkCalls>({ maxEntries: 10_000 });
  return {
    take({ address, operation, isUnchecked }, now) {
      // A flood of one operation, or of unchecked calls, must not hide guesses at another operation.
      const key = `${isUnchecked ? '' : operation} ${networkOf(address)}`;
      const known = networks.get(key);
      if (!known || Math.abs(now - known.since) >= INTERVAL_MS) {
        networks.set(key, { since: now, recorded: 1, skipped: 0 });
        return known?.skipped ?? 0;
      }
      if (known.recorded >= (isUnchecked ? 1 : MAX_CHECKED)) {
        known.skipped += 1;
        return undefined;
      }
      // No call is skipped before the maximum is reached, so `skipped` is 0.
      known.recorded += 1;
      return 0;
    },
  };
}
