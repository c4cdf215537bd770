import type { AuditRecord } from '../domain/audit.js';

/** What the process keeps. Every write that resolves survives a crash and a power failure. */
export interface Store {
  /** Resolves when the record is on the disk. */
  appendAudit(record: AuditRecord): Promise<void>;
  /** The last records, newest first. */
  recentAudit(limit: number): Promise<readonly AuditRecord[]>;
  close(): Promise<void>;
}
