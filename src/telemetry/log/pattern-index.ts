import { SHORTEST } from './encodings.js';

const MASK = '[redacted]';

/** A pattern that is looked for by six of its characters. */
interface Pattern {
  readonly text: string;
  /** Where in the pattern the six begin. */
  readonly anchor: number;
}

/** The patterns by the hash of their six. */
export interface Index {
  /** One byte for the low bits of each hash that occurs: what most places of a text are dismissed by. */
  readonly seen: Uint8Array;
  readonly patterns: Map<number, readonly Pattern[]>;
}

const BASE = 31;
const LEAVING = BASE ** (SHORTEST - 1);
const LOW_BITS = 0xffff;
/** How many beginnings of the six are tried, so that values that begin alike are told apart. */
const ANCHORS = 64;

/** Makes the index of patterns that all have {@link SHORTEST} characters or more. */
export function indexOf(patterns: Iterable<string>): Index {
  const index = { seen: new Uint8Array(LOW_BITS + 1), patterns: new Map<number, readonly Pattern[]>() };
  addTo(index, new Set(patterns));
  return index;
}

/** Looks for more patterns from now on. */
export function addTo({ seen, patterns: byHash }: Index, patterns: Iterable<string>): void {
  const crowd = (hash: number): number => byHash.get(hash)?.length ?? 0;
  for (const text of patterns) {
    const hashes = windowHashes(text.slice(0, ANCHORS + SHORTEST));
    const hash = hashes.reduce((best, one) => (crowd(one) < crowd(best) ? one : best));
    seen[hash & LOW_BITS] = 1;
    byHash.set(hash, [...(byHash.get(hash) ?? []), { text, anchor: hashes.indexOf(hash) }]);
  }
}

/** Hash of the six characters at each place of a text. */
function windowHashes(text: string): readonly number[] {
  const hashes: number[] = [];
  let hash = 0;
  for (let end = 0; end < text.length; end += 1) {
    hash = roll(hash, text, end);
    if (end >= SHORTEST - 1) hashes.push(hash);
  }
  return hashes;
}

function roll(hash: number, text: string, end: number): number {
  const leaving = end < SHORTEST ? 0 : text.charCodeAt(end - SHORTEST);
  return (Math.imul(hash - Math.imul(leaving, LEAVING), BASE) + text.charCodeAt(end)) | 0;
}

type Span = readonly [from: number, to: number];

/** The text with everything that one of the patterns fits replaced by `[redacted]`. */
export function maskPatterns(text: string, { seen, patterns }: Index): string {
  const spans: Span[] = [];
  let hash = 0;
  for (let end = 0; end < text.length; end += 1) {
    hash = roll(hash, text, end);
    if (seen[hash & LOW_BITS] === 0 || end < SHORTEST - 1) continue;
    for (const pattern of patterns.get(hash) ?? []) {
      const from = end - SHORTEST + 1 - pattern.anchor;
      if (from >= 0 && text.startsWith(pattern.text, from)) spans.push([from, from + pattern.text.length]);
    }
  }
  return spans.length === 0 ? text : maskSpans(text, spans);
}

/** Spans that touch are masked as one, so that no end of the second is left. */
function maskSpans(text: string, spans: readonly Span[]): string {
  let masked = '';
  let maskedTo = -1;
  for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
    if (from > maskedTo) masked += text.slice(Math.max(maskedTo, 0), from) + MASK;
    maskedTo = Math.max(maskedTo, to);
  }
  return masked + text.slice(maskedTo);
}
