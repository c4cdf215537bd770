import type { AnsweredRequest } from '../../core/metric.js';
import type { CallQuery } from '../../core/monitoring.js';
import { RingBuffer } from '../../core/lib/ring-buffer.js';

/** The latest calls through each adapter, and the latest other requests. */
export interface RecentCalls {
  /** Records the call object itself, without a copy. Removes the attempts of the oldest calls. */
  readonly note: (call: AnsweredRequest) => void;
  /** Records a request that used no adapter. */
  readonly noteOther: (request: AnsweredRequest) => void;
  /** Returns at most `most` calls through adapters that match the query, newest first. */
  readonly latest: (query: CallQuery) => readonly AnsweredRequest[];
  /** Returns the latest request with this id; undefined if it is no longer known. */
  readonly find: (requestId: string) => AnsweredRequest | undefined;
  /** Removes all other adapters. */
  readonly keepOnly: (adapters: { has(adapter: string): boolean }) => void;
}

/** Maximum number of recorded calls per adapter. */
const MAX_CALLS = 100;

/** Maximum number of recorded requests that used no adapter. */
const MAX_OTHERS = 300;

/** Maximum number of calls whose attempts are kept. Attempts contain texts, and there may be thousands of adapters. */
const MAX_WITH_ATTEMPTS = 2_000;

/** Creates an empty record of calls, which contains nothing of the bodies of successful calls. */
export function createRecentCalls(): RecentCalls {
  const adapters = new Map<string, RingBuffer<AnsweredRequest>>();
  const others = new RingBuffer<AnsweredRequest>(MAX_OTHERS);
  const withAttempts = new RingBuffer<AnsweredRequest>(MAX_WITH_ATTEMPTS);
  return {
    note(call) {
      if (call.attempts) {
        const oldest = withAttempts.add(call);
        if (oldest) oldest.attempts = undefined;
      }
      const ring = adapters.get(call.adapter);
      if (ring) {
        ring.add(call);
        return;
      }
      const first = new RingBuffer<AnsweredRequest>(MAX_CALLS);
      first.add(call);
      adapters.set(call.adapter, first);
    },
    noteOther: (request) => {
      others.add(request);
    },
    latest(query) {
      const { most, adapter } = query;
      const wanted = adapter === undefined ? [...adapters.values()] : [adapters.get(adapter)];
      const calls = wanted.flatMap((ring) => ring?.all() ?? []).filter((call) => matches(call, query));
      // Recorded in the order of their ends, but returned in the order of their starts.
      return calls.sort((one, other) => other.startedAt - one.startedAt).slice(0, most);
    },
    find(requestId) {
      for (const ring of [...adapters.values(), others]) {
        const found = ring.all().findLast((call) => call.requestId === requestId);
        if (found) return found;
      }
      return undefined;
    },
    keepOnly(wanted) {
      for (const name of adapters.keys()) if (!wanted.has(name)) adapters.delete(name);
    },
  };
}

function matches(call: AnsweredRequest, { from, to, status, caller }: CallQuery): boolean {
  if (from !== undefined && call.startedAt < from) return false;
  if (to !== undefined && call.startedAt >= to) return false;
  if (status && (call.status < status.min || call.status > status.max)) return false;
  return caller === undefined || call.caller === caller || call.callerName === caller;
}
