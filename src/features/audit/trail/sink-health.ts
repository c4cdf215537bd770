import { createWriteBuffer } from '../../../auth/write-buffer.js';
import type { CountedAuditTrail } from '../../../core/audit-trail.js';
import type { AuditRecord } from '../../../core/audit.js';
import { Problem } from '../../../core/problem.js';
import type { Scheduler } from '../../../lib/clock.js';
import { createSelfAudit } from './self-audit.js';

/** Minimum time between two attempts to write after a failure, in milliseconds. */
const PROBE_MS = 1000;

/** An audit sink that reports its health. */
type WatchedSink = Pick<CountedAuditTrail, 'append' | 'appendOrKeep' | 'writable' | 'counts' | 'close'>;

/** Destination of audit records. */
export interface AuditSink {
  /** Stores a record. Resolves when the record is stored. */
  append(record: AuditRecord): Promise<void>;
  /** Resolves when all earlier records are stored or refused. */
  close(): Promise<void>;
}

interface Outage {
  readonly since: number;
  /** Number of records that were not stored. */
  lost: number;
  probedAt: number;
}

/**
 * Wraps a sink to track its health. While the sink fails, `writable()` tries at most once a second to write
 * the record `audit.resume`. This record reports the duration of the outage and the number of lost records.
 * The wrapper also writes this record after the first record that the sink stores again. Records of `appendOrKeep` wait in
 * memory while the sink fails, and are tried every second; those that wait when the process ends are lost.
 */
export function watchSink(sink: AuditSink, clock: Scheduler): WatchedSink {
  let outage: Outage | undefined;
  let probe: Promise<boolean> | undefined;
  const counts = { stored: 0, failed: 0 };

  const onStored = (): void | Promise<void> => {
    counts.stored += 1;
    // This record belongs to a call that started before the outage. The trail must report the outage here
    // too.
    if (outage) return resumed(outage);
  };

  const beginOutage = (): Outage => (outage ??= { since: clock.now(), lost: 0, probedAt: clock.now() });
  const onLost = (cause: unknown): never => {
    counts.failed += 1;
    beginOutage().lost += 1;
    throw new Problem('audit_unavailable', 'The audit record of this call could not be stored.', { cause });
  };

  const resumed = async (past: Outage): Promise<void> => {
    await (probe ??= resume(past));
  };

  const resume = async (past: Outage): Promise<boolean> => {
    past.probedAt = clock.now();
    try {
      await sink.append(resumeRecord(past, clock.now()));
      counts.stored += 1;
      outage = undefined;
      return true;
    } catch {
      return false;
    } finally {
      probe = undefined;
    }
  };

  const writable = (): boolean | Promise<boolean> => {
    if (!outage) return true;
    if (probe) return probe;
    if (Math.abs(clock.now() - outage.probedAt) < PROBE_MS) return false;
    return (probe = resume(outage));
  };

  const store = (record: AuditRecord): Promise<void> => sink.append(record).then(onStored);
  const kept = createKeptRecords({
    store,
    isFailing: () => outage !== undefined,
    beginOutage,
    scheduler: clock,
  });
  return {
    append: (record) => sink.append(record).then(onStored, onLost),
    appendOrKeep: (record) => kept.append(record),
    writable,
    counts: () => ({ ...counts }),
    close: () => kept.close().then(() => sink.close()),
  };
}

interface KeptRecordsDeps {
  readonly store: (record: AuditRecord) => Promise<void>;
  readonly isFailing: () => boolean;
  readonly beginOutage: () => void;
  readonly scheduler: Scheduler;
}

/** Creates the function `appendOrKeep`, and the buffer of the records that wait until the sink stores them. */
function createKeptRecords({ store, isFailing, beginOutage, scheduler }: KeptRecordsDeps) {
  const stored = new WeakSet<AuditRecord>();
  const buffer = createWriteBuffer<AuditRecord>({
    scheduler,
    async write(records) {
      for (const record of records) {
        // A retry contains the records that were stored before the failure.
        if (stored.has(record)) continue;
        await store(record);
        stored.add(record);
      }
    },
  });
  return {
    close: () => buffer.close(),
    async append(record: AuditRecord): Promise<boolean> {
      try {
        // While the sink fails, a person who signs out does not wait for another attempt.
        if (!isFailing()) {
          await store(record);
          return true;
        }
      } catch {
        beginOutage();
      }
      buffer.add(record);
      return false;
    },
  };
}

function resumeRecord({ since, lost }: Outage, now: number): AuditRecord {
  return createSelfAudit({
    operation: 'audit.resume',
    outcome: `records lost: ${lost}`,
    now,
    durationMs: now - since,
  });
}
