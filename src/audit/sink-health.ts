import type { AuditTrail } from '../core/audit-trail.js';
import type { AuditRecord } from '../core/audit.js';
import type { Clock } from '../core/lib/clock.js';
import { Problem } from '../core/problem.js';
import { createSelfAudit } from './self-audit.js';

/** Shortest time between two tries to write again after a failure, in milliseconds. */
const PROBE_MS = 1000;

/** A sink that can tell whether it works. */
export type WatchedSink = Pick<AuditTrail, 'append' | 'writable' | 'close'>;

/** Where records go. */
export interface AuditSink {
  /** Resolves when the record is kept. */
  append(record: AuditRecord): Promise<void>;
  /** Resolves when what was appended before is kept or refused. */
  close(): Promise<void>;
}

interface Outage {
  readonly since: number;
  /** Records that were not kept. */
  lost: number;
  probedAt: number;
}

/**
 * A trail that knows whether its sink works. While it does not, `writable()` tries at most once a second by writing a
 * record of its own, `audit.resume`, which tells readers of the gap: how long it was, and how many records it cost. It does so
 * behind the first record that can be kept again, too.
 */
export function watchSink(sink: AuditSink, clock: Clock): WatchedSink {
  let outage: Outage | undefined;
  let probe: Promise<boolean> | undefined;

  const append = async (record: AuditRecord): Promise<void> => {
    try {
      await sink.append(record);
    } catch (cause) {
      outage ??= { since: clock.now(), lost: 0, probedAt: clock.now() };
      outage.lost += 1;
      throw new Problem('audit_unavailable', 'The audit record of this call could not be kept.', { cause });
    }
    // One of a call that had begun before: whoever reads it must learn of the gap as well.
    if (outage) await (probe ??= resume(outage));
  };

  const resume = async (gap: Outage): Promise<boolean> => {
    gap.probedAt = clock.now();
    try {
      await sink.append(resumeRecord(gap, clock.now()));
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

  return { append, writable, close: () => sink.close() };
}

function resumeRecord({ since, lost }: Outage, now: number): AuditRecord {
  return createSelfAudit({
    operation: 'audit.resume',
    outcome: `records lost: ${lost}`,
    now,
    durationMs: now - since,
  });
}
