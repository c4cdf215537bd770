import type { AuditPage, AuditQuery } from './audit-query.js';
import type { AuditRecord } from './audit.js';

/** Stores audit records. A call is refused (`audit_unavailable`) if its record cannot be stored. */
export interface AuditTrail {
  /** Appends a record. Resolves when the record has the configured durability; throws if that fails. */
  readonly append: (record: AuditRecord) => Promise<void>;
  /**
   * Returns false after a failed append, until an append succeeds. Meanwhile, audited calls are refused
   * before they have an effect.
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
