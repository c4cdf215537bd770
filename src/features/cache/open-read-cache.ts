import { matchesPath, MAX_RULE_PATH_LENGTH } from '../../core/access.js';
import type { UpstreamReply } from '../../core/adapter.js';
import type { ProblemCode } from '../../core/problem-codes.js';
import { Problem } from '../../core/problem.js';
import type {
  CacheableRead,
  CachedReply,
  CacheRule,
  ChangingRequest,
  ReadCache,
  ReadCacheSettings,
  ReadCacheStatus,
  SendRead,
} from '../../core/read-cache.js';
import type { Clock } from '../../lib/clock.js';
import type { CacheChanges } from './cache-changes.js';
import type { CachePool } from './cache-pool.js';
import { createFreshnessRules, type FreshnessRules } from './freshness.js';
import { areRelated, segmentsOf } from './related-path.js';
import {
  ReplyEntries,
  type StoredReply,
  conditionalRequest,
  confirmedReply,
  isConditional,
  isConfirmation,
} from './reply-entries.js';
import { joinFlight, type Flight, startFlight } from './shared-flight.js';

interface ReadCacheDeps {
  readonly adapter: string;
  readonly clock: Clock;
  readonly changes: CacheChanges;
  readonly pool: CachePool;
}

/** Failures that allow a stale reply: no request reached the orchestrator, or it did not answer. */
const OUTAGES: ReadonlySet<ProblemCode> = new Set([
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_busy',
  'upstream_suspended',
]);
const OUTAGE_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** A query, the rule that it follows, and how it is sent. */
interface Lookup extends CacheableRead {
  readonly rule: CacheRule;
  readonly key: string;
  readonly send: SendRead;
}

/** Opens the cache of an adapter: empty, so that a new instance of an adapter uses no reply of the previous one. */
export function openReadCache(settings: ReadCacheSettings, deps: ReadCacheDeps): ReadCache {
  return new AdapterReadCache(settings, deps);
}

class AdapterReadCache implements ReadCache {
  readonly #settings: ReadCacheSettings;
  readonly #deps: ReadCacheDeps;
  readonly #rules: FreshnessRules;
  readonly #entries: ReplyEntries;
  readonly #flights = new Map<string, Flight<CachedReply>>();
  readonly #counts = { hits: 0, misses: 0, stale: 0 };
  #leave: (() => void) | undefined;
  #isClosed = false;

  constructor(settings: ReadCacheSettings, deps: ReadCacheDeps) {
    this.#settings = settings;
    this.#deps = deps;
    this.#rules = createFreshnessRules(deps.clock);
    this.#entries = new ReplyEntries(settings);
  }

  read(query: CacheableRead, send: SendRead): Promise<CachedReply> | undefined {
    const rule = ruleFor(query, this.#settings);
    if (!rule) return undefined;
    this.#join();
    return this.#answer({ ...query, rule, key: keyOf(query, rule), send });
  }

  changed(request: ChangingRequest | null): Promise<void> {
    const { adapter, changes } = this.#deps;
    return changes.report({ adapter, path: request && changedPath(request, this.#settings) });
  }

  status(): ReadCacheStatus {
    const entries = this.#entries;
    return {
      ...this.#counts,
      evictions: entries.evictions(),
      entries: entries.size(),
      bytes: entries.bytes(),
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#leave?.();
    this.#entries.removeIf(() => true);
  }

  /** Joins the caches of the process. Only a cache that is used does: a check of the configuration opens caches, too. */
  #join(): void {
    if (this.#leave ?? this.#isClosed) return;
    const { pool, changes, adapter } = this.#deps;
    const leavePool = pool.join(this.#entries);
    const unsubscribe = changes.subscribe(adapter, (path) => {
      this.#remove(path);
    });
    this.#leave = () => {
      leavePool();
      unsubscribe();
    };
  }

  #remove(path: string | null): void {
    const isAffected = affectedBy(path, this.#settings);
    this.#entries.removeIf(({ segments }) => isAffected(segments));
    for (const [key, flight] of this.#flights)
      if (isAffected(flight.segments)) {
        flight.isOutdated = true;
        this.#flights.delete(key);
      }
  }

  async #answer(lookup: Lookup): Promise<CachedReply> {
    const { key, signal } = lookup;
    signal.throwIfAborted();
    const entry = this.#entries.get(key);
    if (entry && this.#rules.secondsLeft(entry.freshness, entry.rule) > 0) {
      this.#counts.hits += 1;
      return this.#hit(entry);
    }
    const running = this.#flights.get(key);
    if (!running) this.#counts.misses += 1;
    const flight = running ?? this.#start(lookup);
    const fetched = await joinFlight(flight, signal, () => {
      this.#end(key, flight);
    });
    if (!running || fetched.cache.isHit) return fetched;
    if (!this.#rules.mayShare(fetched.reply)) return this.#sendAlone(lookup);
    this.#counts.hits += 1;
    const { ageSeconds, status } = fetched.cache;
    return { reply: fetched.reply, cache: { isHit: true, ageSeconds, status: `${status}; collapsed` } };
  }

  /** Sends a query of a caller who waited for a reply that is only for the first caller. */
  async #sendAlone({ request, signal, send }: Lookup): Promise<CachedReply> {
    this.#counts.misses += 1;
    return missOf(await send(request, signal), false, 'fwd=request');
  }

  #start(lookup: Lookup): Flight<CachedReply> {
    const segments = segmentsOf(lookup.request.path);
    const flight = startFlight<CachedReply>(segments, (self) => this.#fetch(lookup, self));
    this.#flights.set(lookup.key, flight);
    const end = (): void => {
      this.#end(lookup.key, flight);
    };
    flight.result.then(end, end);
    return flight;
  }

  /** Lets the next query start a new request. */
  #end(key: string, flight: Flight<CachedReply>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  async #fetch(lookup: Lookup, flight: Flight<CachedReply>): Promise<CachedReply> {
    const entry = this.#entries.get(lookup.key);
    try {
      return await this.#send(lookup, flight, entry);
    } catch (error) {
      const isUnavailable = error instanceof Problem && OUTAGES.has(error.code);
      const stale = isUnavailable ? this.#staleReply(entry, flight) : undefined;
      if (stale) return stale;
      throw error;
    }
  }

  /** Sends a query. Validates the stored reply if there is one. */
  async #send(
    lookup: Lookup,
    flight: Flight<CachedReply>,
    entry: StoredReply | undefined,
  ): Promise<CachedReply> {
    const { request, send } = lookup;
    const forwarded = entry ? 'fwd=stale' : 'fwd=uri-miss';
    // A 304 to conditions of the plugin says nothing about the stored reply.
    const validated = isConditional(request) ? undefined : entry;
    let reply = await send(validated ? conditionalRequest(request, validated.reply) : request, flight.signal);
    if (validated && isConfirmation(reply)) {
      const confirmed = confirmedReply(validated.reply, reply);
      const isStored = confirmed && this.#store(lookup, flight, confirmed);
      if (confirmed) return missOf(confirmed, isStored === true, `${forwarded}; fwd-status=304`);
      // A confirmation of another version than the stored one says nothing about the stored one.
      reply = await send(request, flight.signal);
    }
    const stale = OUTAGE_STATUSES.has(reply.status) ? this.#staleReply(entry, flight) : undefined;
    return stale ?? missOf(reply, this.#store(lookup, flight, reply), forwarded);
  }

  /** Stores a reply if it may be stored. Returns true if it was. */
  #store({ request, rule, key }: Lookup, flight: Flight<CachedReply>, reply: UpstreamReply): boolean {
    if (flight.isOutdated) return false;
    const freshness = this.#rules.of(request, reply, rule);
    if (!freshness || this.#isClosed) {
      this.#entries.remove(key);
      return false;
    }
    const isStored = this.#entries.store(key, { reply, freshness, rule, segments: flight.segments });
    this.#deps.pool.trim();
    return isStored;
  }

  /** Returns the stored reply if it may be used while the orchestrator fails. */
  #staleReply(entry: StoredReply | undefined, { isOutdated }: Flight<CachedReply>): CachedReply | undefined {
    if (!entry || isOutdated || !this.#rules.mayServeStale(entry.freshness, entry.rule)) return undefined;
    this.#counts.stale += 1;
    return this.#hit(entry, '; detail=STALE_IF_ERROR');
  }

  #hit({ reply, freshness, rule }: StoredReply, detail = ''): CachedReply {
    const left = Math.floor(this.#rules.secondsLeft(freshness, rule));
    const ageSeconds = this.#rules.age(freshness);
    return { reply, cache: { isHit: true, ageSeconds, status: `gatehouse; hit; ttl=${left}${detail}` } };
  }
}

function missOf(reply: UpstreamReply, isStored: boolean, forwarded: string): CachedReply {
  const status = `gatehouse; ${forwarded}${isStored ? '; stored' : ''}`;
  return { reply, cache: { isHit: false, ageSeconds: 0, status } };
}

function ruleFor({ request, path }: CacheableRead, { rules }: ReadCacheSettings): CacheRule | undefined {
  if (request.method !== 'GET' || request.body || path.length > MAX_RULE_PATH_LENGTH) return undefined;
  return rules.find(({ paths }) => paths.some((pattern) => matchesPath(pattern, path)));
}

/**
 * Returns what two queries have in common that may share a reply. All headers of the request are part of it, so that a
 * reply is right whatever `Vary` names.
 */
function keyOf({ request, roles }: CacheableRead, { perRoles }: CacheRule): string {
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const audience = perRoles ? [...new Set(roles)].sort() : null;
  return JSON.stringify([request.path, headers.sort(), audience]);
}

function affectedBy(
  path: string | null,
  { changesAll }: ReadCacheSettings,
): (segments: ReturnType<typeof segmentsOf>) => boolean {
  if (path === null || isEverywhere(path, changesAll)) return () => true;
  const changed = segmentsOf(path);
  return (segments) => areRelated(changed, segments);
}

/** Returns true for a path whose change removes all replies; a path that is too long for patterns is one. */
function isEverywhere(path: string, changesAll: readonly string[]): boolean {
  return path.length > MAX_RULE_PATH_LENGTH || changesAll.some((pattern) => matchesPath(pattern, path));
}

/**
 * Returns the path at which a request may change something; null: everywhere. A POST creates a resource or calls an action,
 * which changes what is beside its path: `POST /devices/sync-from` changes `/devices/device=1`.
 */
function changedPath({ method, path }: ChangingRequest, { changesAll }: ReadCacheSettings): string | null {
  if (isEverywhere(path, changesAll)) return null;
  if (method.toUpperCase() !== 'POST') return path;
  const [pathOnly = ''] = path.split('?', 1);
  return pathOnly.replace(/\/+$/, '').replace(/[^/]*$/, '');
}
