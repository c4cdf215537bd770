import { type Clock, systemClock } from '../../core/lib/clock.js';
import {
  addTo,
  encodingsOf,
  indexOf,
  type PatternIndex,
  maskPatterns,
  SHORTEST,
} from '../../core/secret-patterns.js';
import type { Redactor } from '../../core/secret.js';

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
  let index: PatternIndex | undefined;
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

/** A placeholder of a hint, such as `<token>`: no credentials contain angle brackets (RFC 9110 section 11.2). */
const PLACEHOLDER = '<[a-z][a-z ]{0,30}>(?![^\\s",;])';

/** Words that follow the name of a scheme in our own sentences. */
const PLAIN_WORD = '(?:and|authentication|credentials|in|is|or|scheme|tokens?|\\(rfc)(?![\\w.~+/=-])';

// Patterns of secrets in a text. Every repetition is bounded or cannot fail, so no text causes slow matching.
// The words "basic" and "bearer" mask the following word even if it is harmless, except for the words above: losing
// a word is better than leaking a secret.
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[^]*?(?:-----END|$)/g, '[redacted]'],
  [new RegExp(`\\b(bearer|basic)\\s+(?!${PLACEHOLDER}|${PLAIN_WORD})[^\\s",;]+`, 'gi'), '$1 [redacted]'],
  [/eyJ[\w-]{5,}(?:\.[\w-]*){0,4}/g, '[redacted]'],
  [/\bhv[sbr]\.[\w-]+/g, '[redacted]'],
  [/:\/\/[^\s/@"]+@/g, '://[redacted]@'],
  [new RegExp(`((?:${SECRET_NAMES})[\\w-]{0,32}=)(?!${PLACEHOLDER})[^\\s"&,;]+`, 'gi'), '$1[redacted]'],
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
