/** Who did what to which target, and how it ended. Holds no body and no secret. */
export interface AuditRecord {
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string;
  readonly requestId: string;
  /** `<application>.<id>` of the operation. */
  readonly operation: string;
  /** `sub` of the caller. */
  readonly subject: string;
  /** `iss` of the caller. */
  readonly issuer: string;
  /** Path of the request without its query, and behind a space what the operation says that the call is about. */
  readonly target: string;
  /** HTTP status of the answer; 0 where a stream begins, which has a second record at its end. */
  readonly status: number;
  /** Problem code, or what the handler said of the outcome; empty when there is nothing to say. */
  readonly outcome: string;
  readonly durationMs: number;
}

/** Keeps audit records. A call whose record cannot be kept is refused (`audit_unavailable`). */
export interface AuditTrail {
  /** Resolves when the record is as durable as the operator asked for; throws when it is not. */
  append(record: AuditRecord): Promise<void>;
  /** False after a failed append, until one succeeds again: audited calls are then refused before they act. */
  writable(): Promise<boolean>;
  close(): Promise<void>;
}
