import type { AnsweredRequest } from '../../core/metric.js';
import { RingBuffer } from '../../core/lib/ring-buffer.js';

/** The latest calls through each adapter. */
export interface RecentCalls {
  /** Records the call object itself, without a copy. */
  readonly note: (call: AnsweredRequest) => void;
  /** Returns at most `most` calls, newest first, of one adapter or of all. */
  readonly latest: (most: number, adapter?: string) => readonly AnsweredRequest[];
  /** Removes all other adapters. */
  readonly keepOnly: (adapters: { has(adapter: string): boolean }) => void;
}

/** Maximum number of recorded calls per adapter. */
const MAX_CALLS = 100;

/** Creates an empty record of calls, which contains nothing of their bodies. */
export function createRecentCalls(): RecentCalls {
  const adapters = new Map<string, RingBuffer<AnsweredRequest>>();
  return {
    note(call) {
      const ring = adapters.get(call.adapter);
      if (ring) {
        ring.add(call);
        return;
      }
      const first = new RingBuffer<AnsweredRequest>(MAX_CALLS);
      first.add(call);
      adapters.set(call.adapter, first);
    },
    latest(most, adapter) {
      const wanted = adapter === undefined ? [...adapters.values()] : [adapters.get(adapter)];
      const calls = wanted.flatMap((ring) => ring?.all() ?? []);
      // Recorded in the order of their ends, but returned in the order of their starts.
      return calls.sort((one, other) => other.startedAt - one.startedAt).slice(0, most);
    },
    keepOnly(wanted) {
      for (const name of adapters.keys()) if (!wanted.has(name)) adapters.delete(name);
    },
  };
}
