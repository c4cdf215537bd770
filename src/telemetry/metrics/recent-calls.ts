import type { AnsweredRequest } from '../../core/metric.js';
import { RingBuffer } from '../../core/lib/ring-buffer.js';

/** The latest calls through each adapter. */
export interface RecentCalls {
  /** Keeps the call as it is: nothing is made for it. */
  readonly note: (call: AnsweredRequest) => void;
  /** Newest first, so many at most: of one adapter, or of all. */
  readonly latest: (most: number, adapter?: string) => readonly AnsweredRequest[];
  /** Forgets the adapters that are not among these. */
  readonly keepOnly: (adapters: { has(adapter: string): boolean }) => void;
}

/** Calls that are kept of an adapter. */
const CALLS = 100;

/** Makes an empty memory of calls; nothing of their bodies is in it. */
export function createRecentCalls(): RecentCalls {
  const adapters = new Map<string, RingBuffer<AnsweredRequest>>();
  return {
    note(call) {
      const ring = adapters.get(call.adapter);
      if (ring) {
        ring.add(call);
        return;
      }
      const first = new RingBuffer<AnsweredRequest>(CALLS);
      first.add(call);
      adapters.set(call.adapter, first);
    },
    latest(most, adapter) {
      const wanted = adapter === undefined ? [...adapters.values()] : [adapters.get(adapter)];
      const calls = wanted.flatMap((ring) => ring?.all() ?? []);
      // Kept in the order of their ends, and told in that of their beginnings.
      return calls.sort((one, other) => other.startedAt - one.startedAt).slice(0, most);
    },
    keepOnly(wanted) {
      for (const name of adapters.keys()) if (!wanted.has(name)) adapters.delete(name);
    },
  };
}
