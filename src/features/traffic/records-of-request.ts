import type { LogLine } from '../../core/log.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { AuditTrail, AuditEntry } from '../audit/audit-trail.js';

/** Maximum number of audit records of one request: a stream has two. */
const MAX_RECORDS = 20;

/** Time after the end of a request in which its record and its lines may be written, in milliseconds. */
const SLACK_MS = 2_000;

interface RequestRecords {
  /** Newest first. */
  readonly records: readonly AuditEntry[];
  /** True if other requests with the same id have records. */
  readonly isShared: boolean;
}

/**
 * Returns the audit records of a request. Clients choose request ids, so the id alone does not prove that a record
 * belongs to the request: time, operation and caller must match too. Without a known request, returns all records
 * with the id.
 */
export async function findRecords(
  { id, request }: { readonly id: string; readonly request: AnsweredRequest | undefined },
  find: AuditTrail['find'],
): Promise<RequestRecords> {
  const { results: all } = await find({ requestId: id, limit: MAX_RECORDS });
  if (!request) return { records: all, isShared: new Set(all.map(senderOf)).size > 1 };
  const { from, to } = spanOf(request);
  const { results: own } = await find({
    requestId: id,
    operation: request.operation,
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    ...(request.caller !== '' && { subject: request.caller, issuer: request.issuer ?? '' }),
    limit: MAX_RECORDS,
  });
  const keys = new Set(own.map(keyOf));
  return { records: own, isShared: all.some((record) => !keys.has(keyOf(record))) };
}

/** Returns the lines of a request: those of its time and its trace. */
export function linesOf(request: AnsweredRequest, lines: readonly LogLine[]): readonly LogLine[] {
  const { from, to } = spanOf(request);
  return lines.filter(({ time, fields: { traceId } }) => {
    const at = Date.parse(time);
    if (at < from || at >= to) return false;
    return typeof traceId !== 'string' || request.traceId === undefined || traceId === request.traceId;
  });
}

function spanOf({ startedAt, seconds }: AnsweredRequest): { readonly from: number; readonly to: number } {
  const from = Math.floor(startedAt);
  return { from, to: from + Math.ceil(seconds * 1000) + SLACK_MS };
}

function keyOf({ seq, time, operation, subject, issuer }: AuditEntry): string {
  return JSON.stringify([seq, time, operation, subject, issuer]);
}

function senderOf({ operation, subject, issuer }: AuditEntry): string {
  return JSON.stringify([operation, subject, issuer]);
}
