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
} from '../../lib/pattern-index.js';
import { redactBody } from './redact-body.js';

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
