import type { AuditPage, AuditQuery } from './audit-query.js';
import type { AuditRecord } from './audit.js';

/** Stores audit records. A call whose record cannot be stored is refused (`audit_unavailable`). */
export interface AuditTrail {
  /**
   * Appends a record. Resolves when the record is as durable as the operator configured; throws otherwise.
   */
  readonly append: (record: AuditRecord) => Promise<void>;
  /**
   * Returns false after a failed append, until an append succeeds again. Meanwhile, audited calls are refused
   * before they act.
   */
  readonly writable: () => boolean | Promise<boolean>;
  /**
   * Returns the digest of a state; empty for `undefined`. Without the installation's key, the digest reveals
   * nothing about the state.
   */
  readonly digest: (state: unknown) => string;
  /** Returns records, newest first. Throws `invalid_request` for an invalid cursor. */
  readonly find: (query: AuditQuery) => Promise<AuditPage>;
  readonly close: () => Promise<void>;
}
