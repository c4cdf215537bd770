import type { ChainedRecord } from './audit-chain.js';
import type { AuditRecord } from './audit.js';

/** Which records are asked for; what is absent does not matter. */
export interface AuditQuery {
  /** RFC 3339, UTC, milliseconds: this moment or later. */
  readonly since?: string;
  /** ... before this moment. */
  readonly until?: string;
  readonly subject?: string;
  readonly operation?: string;
  readonly requestId?: string;
  readonly status?: number;
  /** Stands somewhere in the target. */
  readonly target?: string;
  /** `next` of the page before. */
  readonly before?: string;
  /** Most records of one page. */
  readonly limit: number;
}

/** A record as it is kept; those from before the chain stand outside of it. */
export type AuditEntry = AuditRecord & Partial<Pick<ChainedRecord, 'seq' | 'prev' | 'hash'>>;

export interface AuditPage {
  /** Newest first. */
  readonly results: readonly AuditEntry[];
  /** Where to go on; absent when there is nothing older. */
  readonly next?: string;
  /** True when the search stopped before the page was full, because it had read as much as one call may. */
  readonly partial?: true;
}

/** Fills a page. Each member resolves to the finished page, `offer` only when it is. */
export interface PageInProgress {
  /** Takes the next older record, and the cursor behind it. */
  readonly offer: (entry: AuditEntry, cursor: string) => AuditPage | undefined;
  /** Ends at the bound of one call. */
  readonly stop: (cursor: string) => AuditPage;
  /** Ends where nothing older is. */
  readonly end: () => AuditPage;
}

/**
 * How far a clock may have been set back, in milliseconds: records stand in the order in which they were made, and a
 * search ends so far before its `since`.
 */
const CLOCK_SLACK_MS = 86_400_000;

/** Begins the page of a query. */
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

/** Times of one form compare as texts. */
function matches(entry: AuditEntry, { since, until, target, ...query }: AuditQuery): boolean {
  if (since !== undefined && entry.time < since) return false;
  if (until !== undefined && entry.time >= until) return false;
  if (target !== undefined && !entry.target.includes(target)) return false;
  const exact = ['subject', 'operation', 'requestId', 'status'] as const;
  return exact.every((name) => query[name] === undefined || entry[name] === query[name]);
}
