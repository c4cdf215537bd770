import { createWriteBuffer } from '../../../auth/write-buffer.js';
import { type AuditRecord, roomFor } from '../../../core/audit.js';
import { Problem } from '../../../core/problem.js';
import type { Scheduler } from '../../../lib/clock.js';
import type { CountedAuditTrail } from '../audit-trail.js';
import type { RecordRoom } from './disk-reserve.js';
import { createSelfAudit } from './self-audit.js';

/** Minimum time between two attempts to write after a failure, in milliseconds. */
const PROBE_MS = 1000;

/** An audit sink that reports its health. */
type WatchedSink = Pick<
  CountedAuditTrail,
  'reserve' | 'release' | 'append' | 'appendOrKeep' | 'writable' | 'counts' | 'close'
>;

/** Destination of audit records. */
export interface AuditSink {
  /** Stores a record. Resolves when the record is stored. */
  append(record: AuditRecord): Promise<void>;
  readonly room: Pick<RecordRoom, 'hold' | 'release'>;
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
  const { room } = sink;
  let outage: Outage | undefined;
  let probe: Promise<boolean> | undefined;
  const counts = { stored: 0, failed: 0 };

  const onStored = (): void | Promise<void> => {
    counts.stored += 1;
    // This record belongs to a call that started before the outage. The trail must report the outage here too.
    if (outage) return resumed(outage);
  };

  const beginOutage = (): Outage => (outage ??= { since: clock.now(), lost: 0, probedAt: clock.now() });
  const onLost = (cause: unknown): never => {
    counts.failed += 1;
    beginOutage().lost += 1;
    throw new Problem('audit_unavailable', 'The audit record of this call could not be stored.', { cause });
  };

  const resumed = (past: Outage): Promise<void> => (probe ??= resume(past)).then(() => undefined);

  const resume = async (past: Outage): Promise<boolean> => {
    past.probedAt = clock.now();
    try {
      await appendInRoom(sink, resumeRecord(past, clock.now()));
      counts.stored += 1;
      outage = undefined;
      return true;
    } catch {
      return false;
    } finally {
      probe = undefined;
    }
  };

  const works = (): boolean | Promise<boolean> => {
    if (!outage) return true;
    if (probe) return probe;
    if (Math.abs(clock.now() - outage.probedAt) < PROBE_MS) return false;
    return (probe = resume(outage));
  };

  const reserve = (bytes: number): boolean | Promise<boolean> => holdIf(works(), room, bytes);

  const kept = createKeptRecords({
    store: (record) => appendInRoom(sink, record).then(onStored),
    isFailing: () => outage !== undefined,
    beginOutage,
    scheduler: clock,
  });
  return {
    reserve,
    release: room.release,
    append: (record, reserved) => appendInRoom(sink, record, reserved).then(onStored, onLost),
    appendOrKeep: (record) => kept.append(record),
    writable: () => hasRoom(room, reserve),
    counts: () => ({ ...counts }),
    close: () => kept.close().then(() => sink.close()),
  };
}

function holdIf(
  works: boolean | Promise<boolean>,
  { hold }: AuditSink['room'],
  bytes: number,
): boolean | Promise<boolean> {
  if (typeof works === 'boolean') return works && hold(bytes);
  return works.then((isWorking) => isWorking && hold(bytes));
}

/** Returns true if the sink has room for a record of any call. */
function hasRoom(
  { release }: AuditSink['room'],
  reserve: WatchedSink['reserve'],
): boolean | Promise<boolean> {
  // A call also needs room for its texts.
  const bytes = 2 * roomFor([]);
  const free = (isReserved: boolean): boolean => {
    if (isReserved) release(bytes);
    return isReserved;
  };
  const reserved = reserve(bytes);
  return typeof reserved === 'boolean' ? free(reserved) : reserved.then(free);
}

/** Appends a record, and frees its room. Without reserved room, takes some first, in this turn of the event loop if there is any. */
function appendInRoom(sink: AuditSink, record: AuditRecord, reserved?: number): Promise<void> {
  const { room } = sink;
  const { target, subject, issuer, name } = record;
  const bytes = reserved ?? roomFor([target, subject, issuer, name]);
  const appendIf = (isHeld: boolean): Promise<void> => {
    if (!isHeld) return Promise.reject(new Error('The audit trail has no room for the record.'));
    return sink.append(record).finally(() => {
      room.release(bytes);
    });
  };
  const isHeld = reserved !== undefined || room.hold(bytes);
  return typeof isHeld === 'boolean' ? appendIf(isHeld) : isHeld.then(appendIf);
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
