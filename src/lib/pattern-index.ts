/** Minimum length of a pattern; shorter ones occur in too many texts. */
export const SHORTEST = 6;

export const MASK = '[redacted]';

/** A pattern that is found by six of its characters. */
interface Pattern {
  readonly text: string;
  /** Offset of the six characters in the pattern. */
  readonly anchor: number;
}

/** The patterns by the hash of their six characters. */
export interface PatternIndex {
  /** One byte for the slot of each existing hash; rejects most positions of a text quickly. Its length is a power of two. */
  readonly seen: Uint8Array;
  readonly patterns: Map<number, Pattern[]>;
  /** Number of patterns that were removed since `seen` was filled. */
  removed: number;
}

/** Six characters of five bits. Each further character shifts the oldest one out. */
const CHARACTER_BITS = 5;
const HASH_BITS = 2 ** (CHARACTER_BITS * SHORTEST) - 1;
const LOW_BITS = 0xffff;
/**
 * Number of offsets that are considered for the six characters, so that values with a common prefix get
 * different hashes.
 */
const MAX_ANCHORS = 64;

/** Number of slots for each pattern, up to {@link MAX_SLOTS}: thousands of adapters have an index of a few patterns each. */
const SLOTS_PER_PATTERN = 64;
/** Number of slots of an index that patterns are added to. */
export const MAX_SLOTS = LOW_BITS + 1;

/** Creates an index of patterns, each with at least {@link SHORTEST} characters. */
export function indexOf(patterns: Iterable<string>, minSlots = 1): PatternIndex {
  const all = new Set(patterns);
  const slots = Math.max(minSlots, 2 ** Math.ceil(Math.log2(SLOTS_PER_PATTERN * (all.size + 1))));
  const seen = new Uint8Array(Math.min(MAX_SLOTS, slots));
  const index = { seen, patterns: new Map<number, Pattern[]>(), removed: 0 };
  addTo(index, all);
  return index;
}

/** Adds patterns to the index. */
export function addTo({ seen, patterns: byHash }: PatternIndex, patterns: Iterable<string>): void {
  const countOf = (hash: number): number => byHash.get(hash)?.length ?? 0;
  for (const text of patterns) {
    const hashes = windowHashes(text.slice(0, ANCHOR_REACH));
    const hash = hashes.reduce((best, one) => (countOf(one) < countOf(best) ? one : best));
    seen[slotOf(hash, seen)] = 1;
    const pattern = { text, anchor: hashes.indexOf(hash) };
    const known = byHash.get(hash);
    if (known) known.push(pattern);
    else byHash.set(hash, [pattern]);
  }
}

/** Removes patterns that were added to the index. A pattern that was added twice stays once. */
export function removeFrom(index: PatternIndex, patterns: Iterable<string>): void {
  const { seen, patterns: byHash } = index;
  for (const text of patterns) {
    const placeIn = (hash: number): number => byHash.get(hash)?.findIndex((one) => one.text === text) ?? -1;
    const hash = windowHashes(text.slice(0, ANCHOR_REACH)).find((one) => placeIn(one) >= 0) ?? -1;
    byHash.get(hash)?.splice(placeIn(hash), 1);
    if (byHash.get(hash)?.length === 0) byHash.delete(hash);
    index.removed += 1;
  }
  // The slots of removed hashes are freed together, because other hashes may share them.
  if (index.removed <= byHash.size) return;
  seen.fill(0);
  for (const hash of byHash.keys()) seen[slotOf(hash, seen)] = 1;
  index.removed = 0;
}

/** Returns the hash of six characters at each position of a text. */
function windowHashes(text: string): readonly number[] {
  const hashes: number[] = [];
  let hash = 0;
  for (let end = 0; end < text.length; end += 1) {
    hash = roll(hash, text.charCodeAt(end));
    if (end >= SHORTEST - 1) hashes.push(hash);
  }
  return hashes;
}

/** Returns the hash of the latest six characters, of which `code` is the last. */
function roll(hash: number, code: number): number {
  return ((hash << CHARACTER_BITS) ^ code) & HASH_BITS;
}

/** Returns the index of a hash in {@link PatternIndex.seen}; all six characters have a part in it. */
function slotOf(hash: number, { length }: Uint8Array): number {
  return (hash ^ (hash >>> 14)) & (length - 1);
}

/** Place of a pattern in a text. */
export type Span = readonly [from: number, to: number];

/** Maximum number of characters from the start of a pattern to the end of its six characters. */
export const ANCHOR_REACH = MAX_ANCHORS + SHORTEST;

/** Replaces every occurrence of a pattern with `[redacted]`. */
export function maskPatterns(text: string, { seen, patterns }: PatternIndex): string {
  const spans: Span[] = [];
  let hash = 0;
  for (let end = 0; end < text.length; end += 1) {
    hash = roll(hash, text.charCodeAt(end));
    if (seen[slotOf(hash, seen)] === 0 || end < SHORTEST - 1) continue;
    for (const pattern of patterns.get(hash) ?? []) {
      const from = end - SHORTEST + 1 - pattern.anchor;
      if (from >= 0 && text.startsWith(pattern.text, from)) spans.push([from, from + pattern.text.length]);
    }
  }
  return spans.length === 0 ? text : maskSpans(text, spans);
}

/** Masks overlapping or adjacent spans as one, so that no end of the second remains. */
function maskSpans(text: string, spans: readonly Span[]): string {
  let masked = '';
  let maskedTo = -1;
  for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
    if (from > maskedTo) masked += text.slice(Math.max(maskedTo, 0), from) + MASK;
    maskedTo = Math.max(maskedTo, to);
  }
  return masked + text.slice(maskedTo);
}

/** Returns the UTF-8 bytes of a pattern as characters, for an index that searches bytes. */
export function patternOfBytes(pattern: string): string {
  return Buffer.from(pattern).toString('latin1');
}

/** Returns true if the bytes contain a pattern of bytes whose six characters are between two offsets. */
export function hasPattern(bytes: Buffer, index: PatternIndex, part: PartOfBytes): boolean {
  return spansIn(bytes, index, part).next().done !== true;
}

/** Finds the places of patterns of bytes by six characters that are between two offsets. */
export function* spansIn(
  bytes: Buffer,
  { seen, patterns }: PatternIndex,
  { from, to }: PartOfBytes,
): Generator<Span, void> {
  let hash = 0;
  for (let end = from; end < to; end += 1) {
    hash = roll(hash, bytes[end] ?? 0);
    if (seen[slotOf(hash, seen)] === 0 || end - from < SHORTEST - 1) continue;
    for (const { text, anchor } of patterns.get(hash) ?? []) {
      const start = end - SHORTEST + 1 - anchor;
      if (start >= 0 && bytes.toString('latin1', start, start + text.length) === text)
        yield [start, start + text.length];
    }
  }
}

interface PartOfBytes {
  readonly from: number;
  readonly to: number;
}
