import type { Call } from '../../core/operation.js';
import type { NamedRecord, Unchanged } from '../../core/platform-state.js';
import { Problem } from '../../core/problem.js';

/** Description of the header `etag` for the API description. */
export const REVISION = {
  etag: 'Revision of the record, for If-Match; absent for a record from a file',
} as const;

/** Description of the request header `If-Match` for the API description. */
export const IF_MATCH = {
  'If-Match':
    'Value of `etag` of the record that you read; 412 if another caller has changed it since. Absent or `*`: any revision',
} as const;

/** Returns the header with a record's revision (RFC 9110 section 8.8.3). */
export function revisionTag({ revision }: Pick<NamedRecord, 'revision'>): { readonly etag: string } {
  return { etag: `"${revision}"` };
}

/**
 * Returns the revision that a caller read, from `If-Match` (RFC 9110 section 13.1.1); undefined if any
 * revision matches. Throws `precondition_failed` for a tag that is not a revision.
 */
export function seenRevision({ header }: Call): number | undefined {
  const written = header('if-match')?.trim();
  if (written === undefined || written === '*') return undefined;
  const revision = /^(?:W\/)?"(\d{1,15})"$/.exec(written)?.[1];
  if (revision === undefined) throw preconditionFailed('If-Match is not the ETag of a revision');
  return Number(revision);
}

/** Returns the changed record. Throws `precondition_failed`, or the Problem from `absent`. */
export function changedRecord(result: NamedRecord | Unchanged, absent: () => Problem): NamedRecord {
  if (result === 'absent') throw absent();
  if (result === 'stale') throw staleRecord();
  return result;
}

/** Creates the Problem `precondition_failed` for a record that another caller has changed. */
export function staleRecord(): Problem {
  return preconditionFailed('another caller has changed the record');
}

function preconditionFailed(detail: string): Problem {
  return new Problem('precondition_failed', detail);
}
