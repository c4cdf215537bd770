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
  /** Digest of what the call found, as `AuditTrail.digest` makes it; empty when there was nothing, or nothing changed. */
  readonly before: string;
  /** Digest of what the call left behind. */
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
