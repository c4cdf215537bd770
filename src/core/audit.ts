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
   * Path of the request without its query. A space and the operation's description of the target may follow.
   */
  readonly target: string;
  /**
   * HTTP status of the response; 0 for the start of a stream. A second record reports the end of the stream.
   */
  readonly status: number;
  /** Problem code, or the outcome that the handler reported; otherwise empty. */
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

/** Members of a record, in the order in which a record is written and sealed. */
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
