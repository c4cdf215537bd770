import type { AnsweredRequest } from '../../core/metric.js';
import { RingBuffer } from '../../lib/ring-buffer.js';
import type { CallQuery } from '../console/monitoring.js';

/** The latest calls through each adapter, and the latest other requests. */
export interface RecentCalls {
  /** Records the call object itself, without a copy. Removes the attempts of the oldest calls. */
  readonly note: (call: AnsweredRequest) => void;
  /** Records a request that used no adapter. */
  readonly noteOther: (request: AnsweredRequest) => void;
  /** Returns at most `most` calls through adapters that match the query, newest first. */
  readonly latest: (query: CallQuery) => readonly AnsweredRequest[];
  /** Returns the calls through these adapters since a time that failed (5xx), or were rejected (4xx). */
  readonly ended: (
    adapters: readonly string[],
    since: number,
    kind: keyof typeof STATUSES,
  ) => readonly AnsweredRequest[];
  /** Returns the known requests with this id, newest first. A client chooses the id, so several requests may have it. */
  readonly find: (requestId: string) => readonly AnsweredRequest[];
  /** Removes all other adapters. */
  readonly keepOnly: (adapters: { has(adapter: string): boolean }) => void;
}

/** Age up to which a failed call counts, in milliseconds: as long as the rates of calls reach back. */
export const CALL_MAX_AGE_MS = 5 * 60_000;

/** Statuses of failed calls, and of rejected calls. */
const STATUSES = { failed: { min: 500, max: 599 }, rejected: { min: 400, max: 499 } } as const;

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
  const attempts = new KeptAttempts();
  return {
    note(call) {
      let ring = adapters.get(call.adapter);
      if (!ring) adapters.set(call.adapter, (ring = new RingBuffer(MAX_CALLS)));
      const replaced = ring.add(call);
      if (replaced) attempts.forget(replaced);
      attempts.keep(call);
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
    ended: (names, since, kind) =>
      names
        .flatMap((name) => adapters.get(name)?.all() ?? [])
        .filter((call) => matches(call, { from: since, status: STATUSES[kind] })),
    find(requestId) {
      const rings = [...adapters.values(), others];
      const found = rings.flatMap((ring) => ring.all().filter((call) => call.requestId === requestId));
      return found.sort((one, other) => other.startedAt - one.startedAt);
    },
    keepOnly(wanted) {
      for (const [name, ring] of adapters) {
        if (wanted.has(name)) continue;
        for (const call of ring.all()) attempts.forget(call);
        adapters.delete(name);
      }
    },
  };
}

/** The recorded calls with attempts, of all adapters together. */
class KeptAttempts {
  /** Oldest first. */
  readonly #calls = new Set<AnsweredRequest>();
  #count = 0;

  /** Adds a call, and removes the attempts of the oldest calls beyond the limit. */
  keep(call: AnsweredRequest): void {
    if (!call.attempts) return;
    this.#calls.add(call);
    this.#count += call.attempts.length;
    for (const oldest of this.#calls) {
      if (this.#count <= MAX_ATTEMPTS) return;
      this.forget(oldest);
      oldest.attempts = undefined;
    }
  }

  /** Removes a call that is no longer recorded, so that nothing keeps it in memory. */
  forget(call: AnsweredRequest): void {
    if (this.#calls.delete(call)) this.#count -= call.attempts?.length ?? 0;
  }
}

function matches(
  call: AnsweredRequest,
  { from, to, status, caller, contains }: Omit<CallQuery, 'most' | 'adapter'>,
): boolean {
  if (from !== undefined && call.startedAt < from) return false;
  if (to !== undefined && call.startedAt >= to) return false;
  if (status && (call.status < status.min || call.status > status.max)) return false;
  if (caller !== undefined && call.caller !== caller && call.callerName !== caller) return false;
  return contains === undefined || hasText(call, contains);
}

/** Returns true if a text in lower case occurs in a call, or is its status. */
function hasText(call: AnsweredRequest, text: string): boolean {
  const { requestId, adapter, path, about, caller, callerName, code, status } = call;
  const members = [requestId, adapter, path, about, caller, callerName, code];
  return String(status) === text || members.some((member) => member?.toLowerCase().includes(text));
}
