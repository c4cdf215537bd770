import type { Call } from './operation.js';
import type { NamedRecord, Unchanged } from './platform-state.js';
import { Problem } from './problem.js';

/** Description of the header, for the API description. */
export const REVISION = {
  etag: 'Revision of the record, for If-Match; absent for what stands in a file',
} as const;

/** Returns the header with a record's revision (RFC 9110 section 8.8.3). */
export function revisionTag({ revision }: Pick<NamedRecord, 'revision'>): { readonly etag: string } {
  return { etag: `"${revision}"` };
}

/**
 * Returns the revision that a caller saw, from `If-Match` (RFC 9110 section 13.1.1); undefined if any
 * revision matches. Throws `precondition_failed` for a tag that no record has.
 */
export function seenRevision({ header }: Pick<Call, 'header'>): number | undefined {
  const written = header('if-match')?.trim();
  if (written === undefined || written === '*') return undefined;
  const revision = /^(?:W\/)?"(\d{1,15})"$/.exec(written)?.[1];
  if (revision === undefined) throw stale('If-Match names no revision that was ever given out');
  return Number(revision);
}

/** Returns the changed record. Throws `precondition_failed`, or the Problem that `absent` creates. */
export function changedRecord(outcome: NamedRecord | Unchanged, absent: () => Problem): NamedRecord {
  if (outcome === 'absent') throw absent();
  if (outcome === 'stale') throw staleRecord();
  return outcome;
}

/** Creates the Problem for a change to a record that another caller has changed. */
export function staleRecord(): Problem {
  return stale('somebody else changed it since it was read');
}

function stale(detail: string): Problem {
  return new Problem('precondition_failed', detail);
}
