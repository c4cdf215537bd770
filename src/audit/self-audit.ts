import type { AuditRecord } from '../core/audit.js';

/** An event that the trail records about itself. */
export interface SelfAuditEvents {
  readonly operation: 'audit.begin' | 'audit.torn' | 'audit.resume';
  readonly outcome: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly durationMs?: number;
}

/** Creates a record that no call has caused. */
export function createSelfAudit({ operation, outcome, now, durationMs = 0 }: SelfAuditEvents): AuditRecord {
  return {
    time: new Date(now).toISOString(),
    requestId: '',
    operation,
    subject: 'gatehouse',
    issuer: '',
    target: '',
    status: 200,
    outcome,
    durationMs,
    before: '',
    after: '',
  };
}

/** Returns the outcome of `audit.begin`: the bytes before the record are not part of its chain. */
export function beginOutcome(bytes: number): string {
  return `behind ${bytes} bytes without a chain`;
}

/**
 * Returns the outcome of `audit.torn`: the bytes between the previous record and this one are not a record.
 */
export function tornOutcome(weight: string): string {
  return `behind a torn line: ${weight}`;
}
