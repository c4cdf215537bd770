import { type UpstreamReply, headerOf, type OutboundRequest } from '../../core/adapter.js';
import type { CacheRule, ReadCacheSettings } from '../../core/read-cache.js';
import type { Freshness } from './freshness.js';
import type { PathSegments } from './related-path.js';

export interface StoredReply {
  readonly reply: UpstreamReply;
  readonly freshness: Freshness;
  readonly rule: CacheRule;
  readonly segments: PathSegments;
}

interface Entry {
  readonly stored: StoredReply;
  readonly bytes: number;
}

/** Approximate memory of an entry besides its body, its headers and its key, in bytes. */
const ENTRY_OVERHEAD = 1024;
/** Approximate memory of a segment of a path, in bytes. */
const SEGMENT_BYTES = 128;

/** Replies by key, in order of their use. Removes the least recently used ones beyond the limits. */
export class ReplyEntries {
  // A Map iterates in insertion order, so the first entry is the least recently used.
  readonly #entries = new Map<string, Entry>();
  readonly #limits: ReadCacheSettings;
  #bytes = 0;
  #evictions = 0;

  constructor(limits: ReadCacheSettings) {
    this.#limits = limits;
  }

  /** Returns a reply, and makes it the most recently used one. */
  get(key: string): StoredReply | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.stored;
  }

  /** Stores a reply in place of the previous one. Returns false, without a reply, if it is larger than all may be. */
  store(key: string, stored: StoredReply): boolean {
    this.remove(key);
    const { body, headers } = stored.reply;
    const texts = JSON.stringify(headers).length * 2 + key.length * 4;
    const bytes = body.length + texts + stored.segments.length * SEGMENT_BYTES + ENTRY_OVERHEAD;
    if (bytes > this.#limits.maxBytes) return false;
    const kept = { ...stored, reply: { ...stored.reply, body: withoutSpare(body) } };
    this.#entries.set(key, { stored: kept, bytes });
    this.#bytes += bytes;
    while (this.#entries.size > this.#limits.maxEntries || this.#bytes > this.#limits.maxBytes)
      this.evictOldest();
    return this.#entries.has(key);
  }

  remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  removeIf(isRemoved: (stored: StoredReply) => boolean): void {
    for (const [key, { stored }] of this.#entries) if (isRemoved(stored)) this.remove(key);
  }

  evictOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest === undefined) return;
    this.remove(oldest);
    this.#evictions += 1;
  }

  bytes(): number {
    return this.#bytes;
  }

  size(): number {
    return this.#entries.size;
  }

  /** Returns the number of replies that were removed for a limit. */
  evictions(): number {
    return this.#evictions;
  }
}

/** Returns the same bytes without the rest of the memory that they were received in. */
function withoutSpare(body: Buffer): Buffer {
  return body.length === body.buffer.byteLength ? body : Buffer.from(Uint8Array.from(body).buffer);
}

/** Validators that are sent back: printable, and not larger than a header needs to be. */
const VALIDATOR = /^[\x21-\x7e][\x20-\x7e]{0,1023}$/;

/** Returns the request with the validators of a stored reply (RFC 9111 section 4.3.1); unchanged without validators. */
export function conditionalRequest(request: OutboundRequest, stored: UpstreamReply): OutboundRequest {
  const etag = headerOf(stored.headers, 'etag');
  const lastModified = headerOf(stored.headers, 'last-modified');
  const conditions = {
    ...(etag !== undefined && VALIDATOR.test(etag) && { 'if-none-match': etag }),
    ...(lastModified !== undefined && VALIDATOR.test(lastModified) && { 'if-modified-since': lastModified }),
  };
  return { ...request, headers: { ...request.headers, ...conditions } };
}

/** Returns true for a request that has conditions of its own. */
export function isConditional({ headers }: OutboundRequest): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase().startsWith('if-'));
}

/** Returns true for a reply that confirms the stored one. */
export function isConfirmation({ status }: UpstreamReply): boolean {
  return status === 304;
}

/** Headers that describe the body of the 304 itself, or the connection. */
const KEPT = new Set([
  'content-length',
  'content-encoding',
  'content-type',
  'transfer-encoding',
  'connection',
]);

/**
 * Returns the stored reply with the headers of its confirmation (RFC 9111 section 3.2); undefined if the confirmation has
 * another entity tag.
 */
export function confirmedReply(
  stored: UpstreamReply,
  confirmation: UpstreamReply,
): UpstreamReply | undefined {
  const [before, now] = [headerOf(stored.headers, 'etag'), headerOf(confirmation.headers, 'etag')];
  if (now !== undefined && weak(now) !== weak(before ?? '')) return undefined;
  const updates = Object.entries(confirmation.headers).filter(([name]) => !KEPT.has(name));
  // The age of the stored reply is over: the orchestrator has just confirmed it.
  const kept = Object.entries(stored.headers).filter(([name]) => name !== 'age');
  return { ...stored, headers: Object.fromEntries([...kept, ...updates]) };
}

function weak(etag: string): string {
  return etag.replace(/^W\//, '');
}
