import type { AuditRecord, AuditWriter } from '../../core/audit.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { ChainHead, Seal, ChainLink } from './chain.js';

/** The audit trail: its writer, and what reads it. */
export interface AuditTrail extends AuditWriter {
  /** Returns true if the trail has room for a record, and false after a failed append, until an append succeeds. */
  readonly writable: () => boolean | Promise<boolean>;
  /** Returns records, newest first. Throws `invalid_request` for an invalid cursor. */
  readonly find: (query: AuditQuery) => Promise<AuditPage>;
  readonly close: () => Promise<void>;
}

/** Numbers of audit records since the start of this process. */
interface AuditCounts {
  readonly stored: number;
  /** Records of calls that could not be stored. */
  readonly failed: number;
}

/** The audit trail of this process, which counts its records. */
export interface CountedAuditTrail extends AuditTrail {
  readonly counts: () => AuditCounts;
  /**
   * Follows the chain from its oldest record to its first break. In a file, also through the files that were moved away
   * and are still beside it.
   */
  readonly verify: (watch: VerificationWatch) => Promise<ChainVerification>;
}

/** A row of the audit trail; `id` increases in the order of the rows. */
export interface AuditRow {
  readonly id: number;
  readonly entry: AuditEntry;
}

/** The audit trail in a database, which several processes may share. */
export interface AuditStore {
  /** Returns the key that all processes on the database use for seals: 64 hexadecimal digits. */
  readonly key: () => Promise<string>;
  /** Returns the last record of the chain. */
  readonly head: () => Promise<ChainHead>;
  /**
   * Appends records to the chain in one transaction. All records are on the disk when the promise resolves.
   * None is stored if it rejects.
   */
  readonly append: (records: readonly AuditRecord[], seal: Seal) => Promise<void>;
  readonly find: (query: AuditQuery) => Promise<AuditPage>;
  /** Returns every row in pages, oldest first. */
  readonly rows: () => AsyncIterable<readonly AuditRow[]>;
}

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
  /** Text in any member that people search by, in any case; or the status. */
  readonly search?: string;
  /** Value of `next` from the previous page. */
  readonly before?: string;
  /** Maximum number of records per page. */
  readonly limit: number;
}

/** A stored audit record; records that are older than the chain have no `seq`, `prev` and `hash`. */
export type AuditEntry = AuditRecord & Partial<ChainLink>;

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
  { since, until, target, search, excludeOperations = [], ...query }: AuditQuery,
): boolean {
  if (since !== undefined && entry.time < since) return false;
  if (until !== undefined && entry.time >= until) return false;
  if (target !== undefined && !entry.target.includes(target)) return false;
  if (excludeOperations.includes(entry.operation)) return false;
  if (search !== undefined && !contains(entry, search.toLowerCase())) return false;
  const exact = ['subject', 'issuer', 'operation', 'requestId', 'status'] as const;
  return exact.every((name) => query[name] === undefined || entry[name] === query[name]);
}

/** Returns true if a text in lower case occurs in a record, or is its status. */
function contains(entry: AuditEntry, text: string): boolean {
  const { requestId, operation, subject, name, target, outcome, reason, clientAddress, status } = entry;
  const members = [requestId, operation, subject, name, target, outcome, reason, clientAddress];
  return String(status) === text || members.some((member) => member?.toLowerCase().includes(text));
}

export type BreakKind = 'changed' | 'removed' | 'inserted' | 'torn';

/** The first location where the trail was changed. */
export interface Break {
  readonly place: string;
  readonly kind: BreakKind;
  readonly message: string;
}

export interface ChainVerification {
  readonly whole: boolean;
  readonly records: number;
  readonly first: number;
  /** The last record. An auditor who saves this value can later prove that the record existed. */
  readonly last: ChainHead;
  /** Number of entries before the chain, which cannot be verified. */
  readonly unchained: number;
  /** Locations of lines that a crash has torn and that a record of the trail reports. */
  readonly torn: readonly string[];
  readonly break?: Break;
  /** The chains of the other processes of the server, which have files of their own; absent without any. */
  readonly others?: readonly (ChainVerification & { readonly file: string })[];
}

export interface VerificationWatch {
  /** Receives the number of entries that were verified so far. */
  readonly onProgress?: (entries: number) => void;
  /** Ends the verification, which then throws. */
  readonly signal?: CancelSignal;
}

/** Verifications of the audit trail, one at a time. */
export interface AuditVerifications {
  /** Starts a verification; returns false if one is running. */
  readonly start: () => boolean;
  readonly state: () => Promise<VerificationState>;
}

/** The verification that is running, and the result of the last one. */
export interface VerificationState {
  readonly running?: { readonly startedAt: number; readonly entries: number };
  readonly last?: VerificationResult;
}

/** Result of a verification, as its audit record has it. */
export interface VerificationResult {
  /** Time of the result, in milliseconds since 1970. */
  readonly at: number;
  readonly isIntact: boolean;
  /** First and last record of an intact chain; absent without records. */
  readonly first?: number;
  readonly last?: number;
  /** The result in one sentence: the first break, or why the verification failed. */
  readonly outcome: string;
}
