import type { ChainHead, Seal } from './audit-chain.js';
import type { AuditEntry, AuditPage, AuditQuery } from './audit-query.js';
import type { AuditRecord } from './audit.js';

/** A row of the audit trail; `id` grows in the order of the rows. */
export interface AuditRow {
  readonly id: number;
  readonly entry: AuditEntry;
}

/** The audit trail of a database, which several processes may share. */
export interface AuditStore {
  /** The key that all who share the database seal with: 64 hexadecimal digits. */
  readonly key: () => Promise<string>;
  /** The last record of the chain. */
  readonly head: () => Promise<ChainHead>;
  /** Adds records to the chain, in one transaction: all of them are on the disk when it resolves, or none is kept. */
  readonly append: (records: readonly AuditRecord[], seal: Seal) => Promise<void>;
  readonly find: (query: AuditQuery) => Promise<AuditPage>;
  /** Every row, oldest first, in pages. */
  readonly rows: () => AsyncIterable<readonly AuditRow[]>;
}
