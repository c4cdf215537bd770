import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { fixedKeys, type Issuer } from '../../src/auth/issuer.js';
import type { Algorithm } from '../../src/auth/keys.js';
import { createVerifier } from '../../src/auth/verifier.js';
import type { Principal, TokenVerifier } from '../../src/core/principal.js';
import { Problem } from '../../src/core/problem.js';
import { problemDocument } from '../../src/http/response.js';
import type { Clock, Scheduler } from '../../src/lib/clock.js';
import type { TestIssuer } from '../support/tokens.js';

/** 2033-05-18T03:33:20Z, in seconds. */
export const NOW = 2_000_000_000;

/** A clock that advances only when a test sets it; then it calls the timers that are due. */
export interface ManualClock extends Scheduler {
  seconds: number;
}

export function manualClock(seconds = NOW): ManualClock {
  let now = seconds;
  const timers = new Set<{ readonly at: number; readonly work: () => void }>();
  return {
    get seconds() {
      return now;
    },
    set seconds(value) {
      now = value;
      for (const timer of [...timers].filter(({ at }) => at <= value * 1000)) {
        timers.delete(timer);
        timer.work();
      }
    },
    now: () => now * 1000,
    after(ms, work) {
      const timer = { at: now * 1000 + ms, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
}

/** Creates an issuer for the verifier with the single key of the test issuer. */
export function trust({ settings, publicKey }: TestIssuer): Issuer {
  const algorithms = settings.algorithms as readonly Algorithm[];
  return { rules: settings, keys: fixedKeys([{ algorithms, key: publicKey }]) };
}

/** Creates an issuer that signs with a shared secret. */
export function trustSecret(settings: TestIssuer['settings'], secret: Buffer): Issuer {
  return { rules: settings, keys: fixedKeys([{ algorithms: ['HS256'], key: createSecretKey(secret) }]) };
}

export function verifierOf(issuer: TestIssuer, clock: Clock): TokenVerifier {
  return createVerifier({ issuers: [trust(issuer)], clock });
}

/** Settings of an issuer without keys. */
export const ISSUER_SETTINGS = {
  issuer: 'https://a.test',
  audience: ['gatehouse'],
  algorithms: ['ES256'],
  rolesClaim: '/roles',
  nameClaim: ['preferred_username', 'email'],
  acceptIdTokens: false,
  clockToleranceSeconds: 0,
  maxLifetimeSeconds: 3600,
} as const;

/** Returns the principal of a token. Asserts that the verifier decides synchronously. */
export function acceptNow(verifier: TokenVerifier, token: string): Principal {
  const result = verifier.verify(token);
  assert.ok(!(result instanceof Promise), 'the verdict must not need a fetch');
  return result;
}

/** Returns the Problem of a token that the verifier does not accept. */
export async function problemOf(verifier: TokenVerifier, token: string): Promise<Problem> {
  try {
    await verifier.verify(token);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return assert.fail('accepted');
}

/** Returns the challenge for a rejected token (RFC 6750 section 3). */
export async function challengeOf(verifier: TokenVerifier, token: string): Promise<string | undefined> {
  const challenge = (await problemOf(verifier, token)).extras.headers?.['www-authenticate'];
  return typeof challenge === 'string' ? challenge : undefined;
}

/** Returns the reason of a rejected token. Fails if the token is accepted, or the reply differs from the uniform 401. */
export async function refusalOf(verifier: TokenVerifier, token: string): Promise<string> {
  return uniformReason(await problemOf(verifier, token));
}

/** Asserts that an error is the uniform 401 and returns the reason in its cause. */
export function uniformReason(error: unknown): string {
  assert.ok(error instanceof Problem, `not a Problem: ${String(error)}`);
  assert.deepEqual(problemDocument(error, '/x', 'id'), UNIFORM);
  const [challenge] = [error.extras.headers?.['www-authenticate']].flat();
  assert.match(String(challenge), CHALLENGE);
  assert.ok(error.cause instanceof Error);
  return error.cause.message;
}

const CHALLENGE = /^Bearer(?: error="invalid_token", error_description="[A-Z][a-z ]+")?$/;

const UNIFORM = {
  type: 'urn:gatehouse:problem:unauthorized',
  title: 'Unauthorized',
  status: 401,
  detail: 'A valid bearer token is required.',
  instance: '/x',
  code: 'unauthorized',
  message: 'A valid bearer token is required.',
  requestId: 'id',
  recommendation:
    'Send a valid token as "Authorization: Bearer <token>". For a refused token, the header WWW-Authenticate has the reason; curl -i shows it.',
};
