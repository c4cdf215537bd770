import type { AuditPage, AuditQuery } from './audit-query.js';
import type { AuditRecord } from './audit.js';

/** Keeps audit records. A call whose record cannot be kept is refused (`audit_unavailable`). */
export interface AuditTrail {
  /** Resolves when the record is as durable as the operator asked for; throws when it is not. */
  readonly append: (record: AuditRecord) => Promise<void>;
  /** False after a failed append, until one succeeds again: audited calls are then refused before they act. */
  readonly writable: () => boolean | Promise<boolean>;
  /** Digest of a state that says nothing of it to whoever lacks the installation's key; empty for `undefined`. */
  readonly digest: (state: unknown) => string;
  /** Records, newest first. Throws `invalid_request` for a cursor that is none. */
  readonly find: (query: AuditQuery) => Promise<AuditPage>;
  readonly close: () => Promise<void>;
}
