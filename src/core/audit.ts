/** Record of a call: its caller, its target and its outcome. Contains no body and no secret. */
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
  /**
   * Path of the request without its query. The operation's description of the target may follow after a
   * space.
   */
  readonly target: string;
  /** HTTP status of the answer; 0 at the start of a stream, which has a second record at its end. */
  readonly status: number;
  /** Problem code, or the outcome that the handler reported; empty if there is neither. */
  readonly outcome: string;
  readonly durationMs: number;
  /**
   * Digest of the state before the call, from `AuditTrail.digest`; empty if nothing existed or nothing
   * changed.
   */
  readonly before: string;
  /** Digest of the state after the call. */
  readonly after: string;
}

/** Members of a record, in the order in which they are written and sealed. */
export const AUDIT_FIELDS = [
  'time',
  'requestId',
  'operation',
  'subject',
  'issuer',
  'target',
  'status',
  'outcome',
  'durationMs',
  'before',
  'after',
] as const satisfies readonly (keyof AuditRecord)[];
