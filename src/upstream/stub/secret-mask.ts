import type { UpstreamReply } from '../../core/adapter.js';
import { encodingsOf } from '../../core/secret-patterns.js';
import { type Redact, Secret } from '../../core/secret.js';
import type { Upstream } from '../../core/upstream.js';
import {
  indexOf,
  maskPatterns,
  type PatternIndex,
  patternOfBytes,
  SHORTEST,
  ANCHOR_REACH,
  hasPattern,
  MASK,
  type Span,
  spansIn,
} from '../../lib/pattern-index.js';
import { nextTurn } from '../../lib/turns.js';

/** Replacement for a secret. */
export const MASKED = '[redacted]';

/** Source of a pattern for words in secret names; requires the flag `i`. */
export const SECRET_WORD = [
  'pass(?:word|wd|phrase|code)?(?!ive)',
  '(?:pwd|secret|token|community|credential|authorization|cookie|jwt|psk)',
  '(?:private|api|access|auth|authentication|encryption|shared)[-_]?key',
  'key[-_]?string',
  'session[-_]?id',
].join('|');

const SECRET_NAME = new RegExp(SECRET_WORD, 'i');

/** Returns true for names of members, elements, parameters and headers whose values must not be recorded. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The secrets of one adapter. */
export interface SecretMask {
  /** Starts masking a value; the returned function releases it. */
  readonly mask: (value: string) => () => void;
  /** Returns the text without these secrets. */
  readonly redact: Redact;
  /** Returns the reply with these secrets removed from its body. Long bodies take several turns of the event loop. */
  readonly redactReply: NonNullable<Upstream['redactReply']>;
}

interface SecretMaskOptions {
  /** Called with each registered value as well. */
  readonly onSecret?: ((value: string) => () => void) | undefined;
  /** Applied to each text after the adapter's secrets are removed. */
  readonly redact?: Redact | undefined;
}

/** Creates a mask for all secrets in an adapter's settings and from its logins. */
export function createSecretMask(settings: unknown, { onSecret, redact }: SecretMaskOptions): SecretMask {
  const fixed = secretsIn(settings).map((secret) => secret.reveal());
  // Reference-counted, because two sessions may have the same value.
  const references = new Map<string, number>();
  let cached: { readonly ofText: PatternIndex; readonly ofBytes: PatternIndex } | undefined;
  const indexes = () => {
    if (cached) return cached;
    const known = [...fixed, ...references.keys()].filter(({ length }) => length >= SHORTEST);
    const patterns = known.flatMap(encodingsOf);
    return (cached = { ofText: indexOf(patterns), ofBytes: indexOf(patterns.map(patternOfBytes)) });
  };
  return {
    mask(value) {
      cached = undefined;
      references.set(value, (references.get(value) ?? 0) + 1);
      const release = onSecret?.(value);
      return () => {
        cached = undefined;
        const count = (references.get(value) ?? 1) - 1;
        if (count === 0) references.delete(value);
        else references.set(value, count);
        release?.();
      };
    },
    redact(text) {
      const bare = maskPatterns(text, indexes().ofText);
      return redact?.(bare) ?? bare;
    },
    redactReply(reply) {
      const body = redactBody(reply.body, indexes().ofBytes);
      return body instanceof Promise ? body.then((late) => withBody(reply, late)) : withBody(reply, body);
    },
  };
}

function withBody(reply: UpstreamReply, body: Buffer): UpstreamReply {
  return body === reply.body ? reply : { ...reply, body };
}

function secretsIn(value: unknown): readonly Secret[] {
  if (value instanceof Secret) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(secretsIn);
}

/** Number of bytes that are searched in one turn of the event loop. */
const PIECE_LENGTH = 262_144;

/** Number of bytes whose escapes are decoded, or whose values are replaced, in one turn. An orchestrator decides how many there are. */
const COSTLY_PIECE_LENGTH = 65_536;

/** Maximum length of a body whose escapes are decoded. */
const MAX_UNESCAPED_LENGTH = 1_048_576;

/**
 * Returns the body without the values of the index; the same buffer if the body contains none. JSON stays JSON, because a
 * value in a string is replaced by text that needs no escape. Decodes `\u` escapes of ASCII characters first, up to 1 MiB. A number that
 * is a secret makes the body invalid JSON. The result is synchronous for a body that is redacted in one turn of the event loop.
 */
function redactBody(body: Buffer, index: PatternIndex): Buffer | Promise<Buffer> {
  if (index.patterns.size === 0) return body;
  const isEscaped = body.length <= MAX_UNESCAPED_LENGTH && body.includes(ASCII_ESCAPE);
  if (isEscaped && body.length > COSTLY_PIECE_LENGTH)
    return unescapeInTurns(body.toString('latin1')).then((bytes) => redactBytes(body, bytes, index));
  const bytes = isEscaped ? Buffer.from(unescapeAscii(body.toString('latin1')), 'latin1') : body;
  return redactBytes(body, bytes, index);
}

/** Returns the bytes of a body, of which the escapes are decoded, without the values; the body if there are none. */
function redactBytes(body: Buffer, bytes: Buffer, index: PatternIndex): Buffer | Promise<Buffer> {
  if (bytes.length > PIECE_LENGTH)
    return isFoundInPieces(bytes, index).then((isFound) => (isFound ? maskInTurns(bytes, index) : body));
  if (!hasPattern(bytes, index, { from: 0, to: bytes.length })) return body;
  if (bytes.length > COSTLY_PIECE_LENGTH) return maskInTurns(bytes, index);
  return Buffer.from(maskPatterns(bytes.toString('latin1'), index), 'latin1');
}

async function isFoundInPieces(bytes: Buffer, index: PatternIndex): Promise<boolean> {
  for (let from = 0; from < bytes.length; from += PIECE_LENGTH) {
    if (from > 0) await nextTurn();
    // The six characters by which a value is found may begin in the previous piece.
    const piece = { from: Math.max(0, from - SHORTEST + 1), to: Math.min(bytes.length, from + PIECE_LENGTH) };
    if (hasPattern(bytes, index, piece)) return true;
  }
  return false;
}

const MASK_BYTES = Buffer.from(MASK);

/** Returns the bytes with each value replaced, and values that overlap or adjoin as one. */
async function maskInTurns(bytes: Buffer, index: PatternIndex): Promise<Buffer> {
  const parts: Buffer[] = [];
  let pending: Span[] = [];
  let maskedTo = -1;
  for (let at = 0; at < bytes.length; at += COSTLY_PIECE_LENGTH) {
    if (at > 0) await nextTurn();
    const to = Math.min(bytes.length, at + COSTLY_PIECE_LENGTH);
    pending = [...pending, ...spansIn(bytes, index, { from: Math.max(0, at - SHORTEST + 1), to })];
    // A value that begins shortly before the end of the piece may be found in the next piece.
    const certainTo = to === bytes.length ? Infinity : to - ANCHOR_REACH;
    const certain = pending.filter(([from]) => from < certainTo).sort(([a], [b]) => a - b);
    pending = pending.filter(([from]) => from >= certainTo);
    const written: Buffer[] = [];
    for (const [from, end] of certain) {
      if (from > maskedTo) written.push(bytes.subarray(Math.max(maskedTo, 0), from), MASK_BYTES);
      maskedTo = Math.max(maskedTo, end);
    }
    parts.push(Buffer.concat(written));
  }
  return Buffer.concat([...parts, bytes.subarray(Math.max(maskedTo, 0))]);
}

const ASCII_ESCAPE = '\\u00';
const ESCAPES = /\\(?:u00([2-7][\da-f])|[^])/gi;

/** Decodes the `\u` escapes of visible ASCII characters in JSON, except for quotation marks and backslashes. */
function unescapeAscii(json: string): string {
  return json.replaceAll(ESCAPES, (escape: string, hex: string | undefined) => {
    const character = hex === undefined ? escape : String.fromCharCode(parseInt(hex, 16));
    return character === '"' || character === '\\' || character === '\x7f' ? escape : character;
  });
}

async function unescapeInTurns(json: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let from = 0, to = 0; from < json.length; from = to) {
    if (from > 0) await nextTurn();
    to = endOfPiece(json, from);
    parts.push(Buffer.from(unescapeAscii(json.slice(from, to)), 'latin1'));
  }
  return Buffer.concat(parts);
}

/** Length of an escape such as `\u0041`. */
const ESCAPE_LENGTH = 6;

/** Returns the end of a piece that divides no escape. */
function endOfPiece(json: string, from: number): number {
  const to = from + COSTLY_PIECE_LENGTH;
  if (to >= json.length) return json.length;
  const last = json.lastIndexOf('\\', to - 1);
  if (last <= to - ESCAPE_LENGTH) return to;
  let first = last;
  while (first > from && json[first - 1] === '\\') first -= 1;
  // Of a row of backslashes, two are the escape of one.
  return (last - first) % 2 === 0 ? last : to;
}
