import type { ChainHead, Seal } from './audit-chain.js';
import type { AuditEntry, AuditPage, AuditQuery } from './audit-query.js';
import type { AuditRecord } from './audit.js';

/** A row of the audit trail; `id` increases in the order of the rows. */
export interface AuditRow {
  readonly id: number;
  readonly entry: AuditEntry;
}

/** The audit trail in a database, which several processes may share. */
export interface AuditStore {
  /** Returns the key that all processes on the database use for seals: 64 hexadecimal digits. */
  readonly key: () => Promise<string>;
  /** Returns the last record of the chain. */
  readonly head: () => Promise<ChainHead>;
  /**
   * Appends records to the chain in one transaction. All records are on the disk when the promise resolves.
   * None is stored if it rejects.
   */
  readonly append: (records: readonly AuditRecord[], seal: Seal) => Promise<void>;
  readonly find: (query: AuditQuery) => Promise<AuditPage>;
  /** Returns every row in pages, oldest first. */
  readonly rows: () => AsyncIterable<readonly AuditRow[]>;
}
