import type { Log } from '../../../core/log.js';
import { type Clock, elapsedSince } from '../../../lib/clock.js';
import { errorMessage } from '../../../lib/error-message.js';
import { singleFlight } from '../../../lib/single-flight.js';
import type {
  CountedAuditTrail,
  AuditVerifications,
  ChainVerification,
  VerificationResult,
} from '../audit-trail.js';
import { createSelfAudit } from './self-audit.js';

interface VerificationsDeps {
  readonly audit: CountedAuditTrail;
  readonly clock: Clock;
  readonly log: Log;
}

/** Verifications that end when they are closed. */
interface OpenVerifications extends AuditVerifications {
  readonly close: () => void;
}

const OPERATION = 'audit.verify';

/** Time in milliseconds for which a result that was read from the trail is reused: another node may have a newer one. */
const RESULT_MS = 30_000;

/** Maximum number of searches, each of limited size, for the result of an earlier process. */
const MAX_SEARCHES = 10;

/**
 * Opens the verifications of an audit trail. One runs at a time. Its result is a record of the trail itself, so that it
 * survives a restart.
 */
export function openVerifications({ audit, clock, log }: VerificationsDeps): OpenVerifications {
  const end = new AbortController();
  let running: { readonly startedAt: number; entries: number } | undefined;
  const results = createResults(audit, clock);

  const run = async (current: NonNullable<typeof running>): Promise<void> => {
    const result = await audit
      .verify({
        signal: end.signal,
        onProgress: (entries) => {
          current.entries = entries;
        },
      })
      .then(resultOf, failureOf);
    running = undefined;
    if (end.signal.aborted) return;
    const now = clock.now();
    results.set({ at: now, ...result });
    const { isIntact, outcome } = result;
    if (!isIntact) log.error('audit trail is not intact', { outcome });
    await audit.append(
      createSelfAudit({
        operation: OPERATION,
        outcome,
        now,
        durationMs: now - current.startedAt,
        status: isIntact ? 200 : 500,
      }),
    );
    results.setRecorded();
  };

  return {
    start() {
      if (running) return false;
      running = { startedAt: clock.now(), entries: 0 };
      run(running).catch((error: unknown) => {
        log.error('result of a verification cannot be recorded', { error });
      });
      return true;
    },
    async state() {
      const last = await results.last();
      return { ...(running && { running: { ...running } }), ...(last && { last }) };
    },
    close: () => {
      end.abort();
    },
  };
}

/** The result of the last verification of any node. */
interface Results {
  /** Sets the result of this process, which is the last one until it is recorded. */
  readonly set: (result: VerificationResult) => void;
  /** Reports that the result of this process is in the trail, where that of another node may follow. */
  readonly setRecorded: () => void;
  /** Returns the last result; undefined without one. */
  readonly last: () => Promise<VerificationResult | undefined>;
}

function createResults(audit: VerificationsDeps['audit'], clock: Clock): Results {
  let known: VerificationResult | undefined;
  let isRecorded = true;
  let readAt: number | undefined;
  const read = singleFlight(async () => {
    // An earlier result can only be far back for a process that has not read the trail yet.
    const found = await lastStoredResult(audit, readAt === undefined ? MAX_SEARCHES : 1);
    readAt = clock.now();
    // A result that cannot be recorded stays the last one until another node has a later one.
    const isLater = isRecorded || !known || (found !== undefined && found.at > known.at);
    if (isLater) known = found ?? known;
  });
  return {
    set(result) {
      known = result;
      isRecorded = false;
    },
    setRecorded() {
      isRecorded = true;
    },
    async last() {
      if (readAt === undefined || elapsedSince(clock, readAt) >= RESULT_MS) await read();
      return known;
    },
  };
}

/** Returns the result of the last verification according to the trail. */
async function lastStoredResult(
  audit: VerificationsDeps['audit'],
  maxSearches: number,
): Promise<VerificationResult | undefined> {
  let before: string | undefined;
  for (let searches = 0; searches < maxSearches; searches += 1) {
    const page = await audit.find({
      operation: OPERATION,
      subject: 'gatehouse',
      limit: 1,
      ...(before !== undefined && { before }),
    });
    const [record] = page.results;
    if (record) {
      const { time, status, outcome } = record;
      return { at: Date.parse(time), isIntact: status === 200, ...rangeOf(outcome), outcome };
    }
    before = page.next;
    if (before === undefined) return undefined;
  }
  return undefined;
}

type Result = Omit<VerificationResult, 'at'>;

function resultOf({ records, first, last, break: found }: ChainVerification): Result {
  if (found) {
    const { place, kind, message } = found;
    const before = records > 0 ? `; records ${first} to ${last.seq} before it are unchanged` : '';
    return { isIntact: false, outcome: `${kind}: ${place}: ${message}${before}` };
  }
  if (records === 0) return { isIntact: true, outcome: 'intact: no record' };
  return { isIntact: true, first, last: last.seq, outcome: `intact: records ${first} to ${last.seq}` };
}

function failureOf(error: unknown): Result {
  return { isIntact: false, outcome: `failed: ${errorMessage(error)}` };
}

/** Reads the range of records from the outcome of {@link resultOf}. */
function rangeOf(outcome: string): Pick<Result, 'first' | 'last'> {
  const [, first, last] = /^intact: records (\d+) to (\d+)$/.exec(outcome) ?? [];
  return first === undefined ? {} : { first: Number(first), last: Number(last) };
}
