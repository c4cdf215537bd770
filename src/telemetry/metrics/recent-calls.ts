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
  /** Returns the calls through these adapters since a time that ended with a status of 500 or above, as failed calls count. */
  readonly failed: (adapters: readonly string[], since: number) => readonly AnsweredRequest[];
  /** Returns the known requests with this id, newest first. A client chooses the id, so several requests may have it. */
  readonly find: (requestId: string) => readonly AnsweredRequest[];
  /** Removes all other adapters. */
  readonly keepOnly: (adapters: { has(adapter: string): boolean }) => void;
}

/** Maximum number of recorded calls per adapter. */
const MAX_CALLS = 100;

/** Maximum number of recorded requests that used no adapter. */
const MAX_OTHERS = 300;

/** Maximum number of attempts of all calls. Attempts contain texts, and there may be thousands of adapters. */
const MAX_ATTEMPTS = 4_000;

/** Creates an empty record of calls, which contains nothing of the bodies of successful calls. */
export function createRecentCalls(): RecentCalls {
  const adapters = new Map<string, RingBuffer<AnsweredRequest>>();
  const others = new RingBuffer<AnsweredRequest>(MAX_OTHERS);
  // Oldest first.
  const withAttempts = new Set<AnsweredRequest>();
  let keptAttempts = 0;
  const keepAttempts = (call: AnsweredRequest): void => {
    withAttempts.add(call);
    keptAttempts += call.attempts?.length ?? 0;
    for (const oldest of withAttempts) {
      if (keptAttempts <= MAX_ATTEMPTS) break;
      keptAttempts -= oldest.attempts?.length ?? 0;
      oldest.attempts = undefined;
      withAttempts.delete(oldest);
    }
  };
  return {
    note(call) {
      if (call.attempts) keepAttempts(call);
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
    failed: (names, since) =>
      names
        .flatMap((name) => adapters.get(name)?.all() ?? [])
        .filter((call) => call.startedAt >= since && call.status >= 500),
    find(requestId) {
      const rings = [...adapters.values(), others];
      const found = rings.flatMap((ring) => ring.all().filter((call) => call.requestId === requestId));
      return found.sort((one, other) => other.startedAt - one.startedAt);
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
