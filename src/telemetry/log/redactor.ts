import { type Clock, systemClock } from '../../core/lib/clock.js';
import type { Redactor } from '../../core/secret.js';

/** Minimum length of a redacted value; shorter values occur in too many texts. */
export const SHORTEST = 6;

/**
 * Returns the encodings in which a value may occur in a text: plain or in a JSON string (or JSON in JSON);
 * each of these URL-encoded or form-encoded, in base64 and base64url at any byte offset, and in hex. All have
 * at least {@link SHORTEST} characters.
 */
export function encodingsOf(value: string): readonly string[] {
  const json = inJson(value);
  const encodings = [value, json, json.replaceAll('/', '\\/'), inJson(json)].flatMap(binaryEncodingsOf);
  return [...new Set(encodings)].filter(({ length }) => length >= SHORTEST);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function binaryEncodingsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  // Decoded from the bytes again, because a lone surrogate cannot be URL-encoded.
  return [text, ...inUrls(bytes.toString()), ...inBase64(bytes), hex, hex.toUpperCase()];
}

function inUrls(value: string): readonly string[] {
  const component = encodeURIComponent(value);
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  const encodings = [component, encodeURI(value), form];
  const lowerCase = (escape: string): string => escape.toLowerCase();
  return [...encodings, ...encodings.map((text) => text.replaceAll(/%[\dA-F]{2}/g, lowerCase))];
}

/**
 * Returns the part of the base64 text that depends only on the value; the characters at both ends may mix
 * with neighboring bytes.
 */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((shifted.length * 8) / 6);
    const [standard, url] = [shifted.toString('base64'), shifted.toString('base64url')];
    return [standard.slice(first, last), url.slice(first, last)];
  });
}

const MASK = '[redacted]';

/** A pattern that is found by six of its characters. */
interface Pattern {
  readonly text: string;
  /** Offset of the six characters in the pattern. */
  readonly anchor: number;
}

/** The patterns by the hash of their six characters. */
export interface Index {
  /** One byte for the low bits of each existing hash; rejects most positions of a text quickly. */
  readonly seen: Uint8Array;
  readonly patterns: Map<number, readonly Pattern[]>;
}

const BASE = 31;
const LEAVING_FACTOR = BASE ** (SHORTEST - 1);
const LOW_BITS = 0xffff;
/**
 * Number of offsets that are considered for the six characters, so that values with a common prefix get
 * different hashes.
 */
const MAX_ANCHORS = 64;

/** Creates an index of patterns, each with at least {@link SHORTEST} characters. */
export function indexOf(patterns: Iterable<string>): Index {
  const index = { seen: new Uint8Array(LOW_BITS + 1), patterns: new Map<number, readonly Pattern[]>() };
  addTo(index, new Set(patterns));
  return index;
}

/** Adds patterns to the index. */
export function addTo({ seen, patterns: byHash }: Index, patterns: Iterable<string>): void {
  const countOf = (hash: number): number => byHash.get(hash)?.length ?? 0;
  for (const text of patterns) {
    const hashes = windowHashes(text.slice(0, MAX_ANCHORS + SHORTEST));
    const hash = hashes.reduce((best, one) => (countOf(one) < countOf(best) ? one : best));
    seen[hash & LOW_BITS] = 1;
    byHash.set(hash, [...(byHash.get(hash) ?? []), { text, anchor: hashes.indexOf(hash) }]);
  }
}

/** Returns the hash of six characters at each position of a text. */
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
  return (Math.imul(hash - Math.imul(leaving, LEAVING_FACTOR), BASE) + text.charCodeAt(end)) | 0;
}

type Span = readonly [from: number, to: number];

/** Replaces every occurrence of a pattern with `[redacted]`. */
function maskPatterns(text: string, { seen, patterns }: Index): string {
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

/** How long a released value is still masked, in milliseconds, because late errors may contain it. */
const RELEASED_MS = 3_600_000;

/** A value that is in use, or that was released and expires at `until`. */
interface Known {
  holders: number;
  until: number;
  readonly encodings: readonly string[];
}

/**
 * Creates a redactor that reads each character of a text once, regardless of the number of values. A rolling
 * hash of six characters finds candidate positions, and values are compared only there.
 */
export function createRedactor(clock: Clock = systemClock): Redactor {
  const known = new Map<string, Known>();
  let index: Index | undefined;
  let nextExpiry = Infinity;

  // Sessions of orchestrators change often; a new value must not require indexing all values again.
  const learn = (value: string): Known => {
    const entry = { holders: 0, until: Infinity, encodings: encodingsOf(value) };
    known.set(value, entry);
    if (index) addTo(index, entry.encodings);
    return entry;
  };
  const release = (values: readonly string[]): void => {
    for (const value of values) {
      const entry = known.get(value);
      if (!entry) continue;
      entry.holders -= 1;
      entry.until = clock.now() + RELEASED_MS;
      if (entry.holders === 0) nextExpiry = Math.min(nextExpiry, entry.until);
    }
  };
  const removeExpired = (): void => {
    const expired = [...known].filter(([, { holders, until }]) => holders === 0 && until <= clock.now());
    for (const [value] of expired) known.delete(value);
    const released = [...known.values()].filter(({ holders }) => holders === 0);
    nextExpiry = Math.min(Infinity, ...released.map(({ until }) => until));
    index = undefined;
  };

  return {
    add(values) {
      const held = [...new Set(values)].filter((value) => value.length >= SHORTEST);
      for (const value of held) {
        const entry = known.get(value) ?? learn(value);
        entry.holders += 1;
      }
      let released = false;
      return () => {
        if (!released) release(held);
        released = true;
      };
    },
    redact(text) {
      if (clock.now() >= nextExpiry) removeExpired();
      if (known.size === 0) return text;
      index ??= indexOf([...known.values()].flatMap(({ encodings }) => encodings));
      return maskPatterns(text, index);
    },
  };
}

/** Maximum length of a string in a line, in characters. */
export const TEXT_LENGTH = 8192;

const SECRET_NAMES =
  'authorization|cookie|pass(?:word|wd|phrase)|secret|token|api[-_]?key|private[-_]?key|credential';
const SECRET_NAME = new RegExp(SECRET_NAMES, 'i');

// Patterns of secrets in a text. Every repetition is bounded or cannot fail, so no text causes slow matching.
// The words "basic" and "bearer" mask the following word even if it is harmless: losing a word is better than
// leaking a secret.
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^]*?(?:-----END|$)/g, '[redacted]'],
  [/\b(bearer|basic)\s+[^\s",;]+/gi, '$1 [redacted]'],
  [/eyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, '[redacted]'],
  [/\bhv[sbr]\.[\w-]+/g, '[redacted]'],
  [/:\/\/[^\s/@"]+@/g, '://[redacted]@'],
  [new RegExp(`((?:${SECRET_NAMES})[\\w-]{0,32}=)[^\\s"&,;]+`, 'gi'), '$1[redacted]'],
  [new RegExp(`((?:${SECRET_NAMES})[\\w-]{0,32}"\\s{0,8}:\\s{0,8}")[^"]+`, 'gi'), '$1[redacted]'],
];

/** Quick test for the patterns above: almost every text fails it and skips them. */
const SUSPICIOUS = new RegExp(`PRIVATE KEY-----|bearer|basic|eyJ|hv[sbr]\\.|@|${SECRET_NAMES}`, 'i');

/** Returns false for texts that contain nothing like a secret. */
export function isSuspicious(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/**
 * Returns true for names of fields and headers whose values must never be shown, for example `Set-Cookie` or
 * `clientSecret`.
 */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Replaces every text that matches a pattern of a secret with `[redacted]`, and truncates at {@link TEXT_LENGTH}. This
 * is the second line of defense; the first is that secrets are wrapped in a `Secret`.
 */
export function maskText(text: string): string {
  // Masked before truncation, because a truncated secret no longer matches.
  let masked = text.slice(0, 2 * TEXT_LENGTH);
  if (isSuspicious(masked))
    for (const [pattern, replacement] of SECRET_TEXTS) masked = masked.replace(pattern, replacement);
  const isComplete = text.length <= 2 * TEXT_LENGTH && masked.length <= TEXT_LENGTH;
  return isComplete ? masked : `${masked.slice(0, TEXT_LENGTH)}[cut: ${text.length} characters]`;
}
