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
  /** Name of the caller for people; absent: the subject. It is not the identity of the caller. */
  readonly name?: string;
  /** IP address of the client; absent: not known, or a record of a version without addresses. */
  readonly clientAddress?: string;
  /** Why the orchestrator refused the call, in its own words, without secrets; absent: it gave no reason. */
  readonly reason?: string;
}

/** Room for the members of a record whose length is limited, with the longest reason, and for the blocks of a disk, in bytes. */
const FIXED_ROOM = 16_384;
/** Maximum number of bytes of a unit of a string in a record: `\u200b`. */
const MAX_BYTES_PER_UNIT = 6;

/** Returns the room that a record needs at most, in bytes. `texts` are those of its members that the request decides. */
export function roomFor(texts: readonly (string | undefined)[]): number {
  let length = 0;
  for (const text of texts) length += text?.length ?? 0;
  return FIXED_ROOM + MAX_BYTES_PER_UNIT * length;
}

/** Stores audit records. A call is refused (`audit_unavailable`) if its record cannot be stored. */
export interface AuditWriter {
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
  /**
   * Returns the digest of a state; empty for `undefined`. Without the installation's key, the digest reveals
   * nothing about the state.
   */
  readonly digest: (state: unknown) => string;
}
