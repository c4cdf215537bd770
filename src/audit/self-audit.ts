import type { AuditRecord } from '../core/audit.js';

/** What the trail tells of itself. */
export interface SelfAuditEvents {
  readonly operation: 'audit.begin' | 'audit.torn' | 'audit.resume';
  readonly outcome: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly durationMs?: number;
}

/** A record that no call has caused. */
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

/** Outcome of `audit.begin`: what stands in the file before the record is not of its chain. */
export function beginOutcome(bytes: number): string {
  return `behind ${bytes} bytes without a chain`;
}

/** Outcome of `audit.torn`: what stands between the record before and this one is no record. */
export function tornOutcome(weight: string): string {
  return `behind a torn line: ${weight}`;
}
