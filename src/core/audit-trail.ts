import type { AuditEntry, AuditPage, AuditQuery } from './audit-query.js';
import type { ChainVerification, VerificationWatch } from './audit-verification.js';
import type { AuditRecord, ChainHead, Seal } from './audit.js';

/** Stores audit records. A call is refused (`audit_unavailable`) if its record cannot be stored. */
export interface AuditTrail {
  /**
   * Reserves room for a record before its call has an effect; `roomFor` returns the number of bytes. Returns false without room,
   * and while the trail fails: the call is then refused. The result is synchronous while the trail has room.
   */
  readonly reserve: (bytes: number) => boolean | Promise<boolean>;
  /** Frees room that no record needs. */
  readonly release: (bytes: number) => void;
  /**
   * Appends a record, in the room that is reserved for it, and frees this room. A record without reserved room takes some first.
   * Resolves when the record has the configured durability; throws if that fails.
   */
  readonly append: (record: AuditRecord, reserved?: number) => Promise<void>;
  /**
   * Appends the record of a call that only takes rights away, and was carried out whether or not the trail works. Resolves to
   * true when the record is stored, and to false if it waits in memory until the trail accepts records. Never rejects.
   */
  readonly appendOrKeep: (record: AuditRecord) => Promise<boolean>;
  /** Returns true if the trail has room for a record, and false after a failed append, until an append succeeds. */
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

/** Numbers of audit records since the start of this process. */
interface AuditCounts {
  readonly stored: number;
  /** Records of calls that could not be stored. */
  readonly failed: number;
}

/** The audit trail of this process, which counts its records. */
export interface CountedAuditTrail extends AuditTrail {
  readonly counts: () => AuditCounts;
  /**
   * Follows the chain from its oldest record to its first break. In a file, also through the files that were moved away
   * and are still beside it.
   */
  readonly verify: (watch: VerificationWatch) => Promise<ChainVerification>;
}

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
