import type { AuditRecord } from '../domain/audit.js';
import type { FormStore } from '../domain/form.js';

/** What the process keeps. Every write that resolves survives a crash and a power failure. */
export interface Store {
  /** Resolves when the record is on the disk. */
  appendAudit(record: AuditRecord): Promise<void>;
  /** The last records, newest first. */
  recentAudit(limit: number): Promise<readonly AuditRecord[]>;
  readonly forms: FormStore;
  close(): Promise<void>;
}
