import type { AuditRecord, ChainedRecord } from './audit.js';

/** Filters of an audit search; an absent member does not filter. */
export interface AuditQuery {
  /** Earliest time, inclusive: RFC 3339, UTC, milliseconds. */
  readonly since?: string;
  /** Latest time, exclusive, in the same format. */
  readonly until?: string;
  readonly subject?: string;
  readonly issuer?: string;
  readonly operation?: string;
  /** Operations whose records are left out. */
  readonly excludeOperations?: readonly string[];
  readonly requestId?: string;
  readonly status?: number;
  readonly target?: string;
  /** Value of `next` from the previous page. */
  readonly before?: string;
  /** Maximum number of records per page. */
  readonly limit: number;
}

/** A stored audit record; records that are older than the chain have no `seq`, `prev` and `hash`. */
export type AuditEntry = AuditRecord & Partial<Pick<ChainedRecord, 'seq' | 'prev' | 'hash'>>;

/** One page of search results. */
export interface AuditPage {
  /** Records of the page, newest first. */
  readonly results: readonly AuditEntry[];
  /** Cursor of the next page; absent if there are no older records. */
  readonly next?: string;
  /** True if the search reached the read limit of one call before the page was full. */
  readonly partial?: true;
}

/**
 * A page that is not complete yet. Each method returns the complete page; `offer` returns undefined while the
 * page is incomplete.
 */
interface PageInProgress {
  /** Adds the next older record if it matches; `cursor` continues after this record. */
  readonly offer: (entry: AuditEntry, cursor: string) => AuditPage | undefined;
  /** Ends the page at the read limit of one call. */
  readonly stop: (cursor: string) => AuditPage;
  /** Ends the page when there are no older records. */
  readonly end: () => AuditPage;
}

/**
 * Tolerance for a clock that was set back, in milliseconds. Records are stored in the order of their
 * creation. A search ends at a record that is older than `since` by more than this tolerance.
 */
const CLOCK_SLACK_MS = 86_400_000;

/** Creates an empty page for a query. */
export function beginPage(query: AuditQuery): PageInProgress {
  const results: AuditEntry[] = [];
  const oldest =
    query.since === undefined ? '' : new Date(Date.parse(query.since) - CLOCK_SLACK_MS).toISOString();
  return {
    offer(entry, cursor) {
      if (entry.time < oldest) return { results };
      if (matches(entry, query)) results.push(entry);
      return results.length === query.limit ? { results, next: cursor } : undefined;
    },
    stop: (cursor) => ({ results, next: cursor, partial: true }),
    end: () => ({ results }),
  };
}

/**
 * Returns true if the record matches the query. Compares times as strings, because all have the same format.
 */
function matches(
  entry: AuditEntry,
  { since, until, target, excludeOperations = [], ...query }: AuditQuery,
): boolean {
  if (since !== undefined && entry.time < since) return false;
  if (until !== undefined && entry.time >= until) return false;
  if (target !== undefined && !entry.target.includes(target)) return false;
  if (excludeOperations.includes(entry.operation)) return false;
  const exact = ['subject', 'issuer', 'operation', 'requestId', 'status'] as const;
  return exact.every((name) => query[name] === undefined || entry[name] === query[name]);
}
