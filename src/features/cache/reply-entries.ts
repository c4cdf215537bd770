import type { UpstreamReply } from '../../core/adapter.js';
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
