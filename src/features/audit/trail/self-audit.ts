import type { AuditRecord } from '../../../core/audit.js';

/** An event that the trail records about itself. */
export interface SelfAuditEvent {
  readonly operation: 'audit.begin' | 'audit.torn' | 'audit.resume' | 'audit.verify';
  readonly outcome: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly durationMs?: number;
  /** 200 by default; 500 for a failure. */
  readonly status?: 200 | 500;
}

/** Creates the record of an event of the trail, which no call has caused. */
export function createSelfAudit({
  operation,
  outcome,
  now,
  durationMs = 0,
  status = 200,
}: SelfAuditEvent): AuditRecord {
  return {
    time: new Date(now).toISOString(),
    requestId: '',
    operation,
    subject: 'gatehouse',
    issuer: '',
    target: '',
    status,
    outcome,
    durationMs,
    before: '',
    after: '',
  };
}

/** Returns the outcome of `audit.begin`: the number of bytes before the record, which have no chain. */
export function beginOutcome(bytes: number): string {
  return `behind ${bytes} bytes without a chain`;
}

/**
 * Returns the outcome of `audit.torn`: the digest of the bytes between the previous record and this record.
 */
export function tornOutcome(digest: string): string {
  return `behind a torn line: ${digest}`;
}
