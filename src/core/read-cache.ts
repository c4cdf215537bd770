import type { CancelSignal } from '../lib/cancel-signal.js';
import type { FromSchema } from '../settings/from-schema.js';
import type { readCacheSchema } from '../settings/read-cache.js';
import type { OutboundRequest, UpstreamReply } from './adapter.js';

/** Setting `cache` of an adapter. */
export type ReadCacheSettings = NonNullable<FromSchema<typeof readCacheSchema>>;

/** How the replies to queries at some paths are cached. */
export type CacheRule = ReadCacheSettings['rules'][number];

/** A query that the cache may answer. */
export interface CacheableRead {
  readonly request: OutboundRequest;
  /** Path as the caller sent it, which the rules are compared with. */
  readonly path: string;
  readonly roles: readonly string[];
  readonly signal: CancelSignal;
}

/** What the caller learns about the origin of a reply. */
export interface CacheOutcome {
  /** True if the reply was not sent by the orchestrator for this call. */
  readonly isHit: boolean;
  /** Seconds since the orchestrator generated or confirmed the reply (RFC 9111 section 5.1). */
  readonly ageSeconds: number;
  /** Value of the header `Cache-Status` (RFC 9211). */
  readonly status: string;
}

export interface CachedReply {
  readonly reply: UpstreamReply;
  readonly cache: CacheOutcome;
}

export type SendRead = (request: OutboundRequest, signal: CancelSignal) => Promise<UpstreamReply>;

/** Counters and sizes of the cache of one adapter in one process. */
export interface ReadCacheStatus {
  readonly hits: number;
  readonly misses: number;
  /** Replies that were used after their freshness, because the orchestrator failed. */
  readonly stale: number;
  readonly evictions: number;
  readonly entries: number;
  readonly bytes: number;
}

/** Replies to the queries of one adapter. */
export interface ReadCache {
  /**
   * Answers a query from the cache, or sends it and stores its reply. Concurrent identical queries share one request,
   * which is canceled when all their callers have left. Undefined if no rule matches. Rejects with the Problem of `send`.
   */
  read(query: CacheableRead, send: SendRead): Promise<CachedReply> | undefined;
  /**
   * Removes the replies that a request may have changed, in all processes and nodes: those at, above and below its path; null: all
   * replies. Replies that are under way are not stored. Resolves when the others know it, at the latest after a second.
   */
  changed(request: ChangingRequest | null): Promise<void>;
  status(): ReadCacheStatus;
  close(): void;
}

/** A request that may change something at the orchestrator. */
export type ChangingRequest = Pick<OutboundRequest, 'method' | 'path'>;

/** A change at a path of an adapter; null: everywhere. */
export interface CacheChange {
  /** Null: all adapters. */
  readonly adapter: string | null;
  readonly path: string | null;
}
