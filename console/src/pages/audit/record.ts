/** A record of the audit trail, as `GET /audit` answers it. */
export interface AuditRecord {
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly requestId: string;
  readonly operation: string;
  readonly subject: string;
  readonly issuer: string;
  readonly target: string;
  /** HTTP status; 0 where a stream begins. */
  readonly status: number;
  readonly outcome: string;
  readonly durationMs?: number;
  /** Digests; empty when the operation does not tell. */
  readonly before?: string;
  readonly after?: string;
  /** Place in the chain; absent before there was one. */
  readonly seq?: number;
  readonly prev?: string;
  readonly hash?: string;
}

/** One answer of the search, newest first. */
export interface AuditPage {
  readonly results: readonly AuditRecord[];
  /** Goes on with older ones; absent at the end. */
  readonly next?: string;
  /** The search stopped early. */
  readonly partial?: true;
}

/** How a call ended, from the best to the worst. */
export const ENDS = ['done', 'refused', 'failed'] as const;
export type End = (typeof ENDS)[number];

/** How a call ended, by its status: a refusal is the caller's affair (4xx), a failure the server's or the target's (5xx). */
export function endOf({ status }: Pick<AuditRecord, 'status'>): End {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'done';
}

/** A name for a record that no other one has. */
export function keyOfRecord({ seq, requestId, time, operation }: AuditRecord): string {
  return `${seq ?? ''} ${requestId} ${time} ${operation}`;
}
