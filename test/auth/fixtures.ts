import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import type { Clock } from '../../src/core/lib/clock.js';
import type { Principal, TokenVerifier } from '../../src/core/principal.js';
import { Problem, problemDocument } from '../../src/core/problem.js';
import type { Algorithm } from '../../src/auth/keys.js';
import { fixedKeys, type Issuer } from '../../src/auth/issuer.js';
import { createVerifier } from '../../src/auth/verifier.js';
import type { TestIssuer } from '../support/tokens.js';

/** 2033-05-18T03:33:20Z, in seconds. */
export const NOW = 2_000_000_000;

/** A clock that advances only when a test sets it. */
export interface ManualClock extends Clock {
  seconds: number;
}

export function manualClock(seconds = NOW): ManualClock {
  return {
    seconds,
    now() {
      return this.seconds * 1000;
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

/** Returns the principal of a token. Asserts that the verifier decides synchronously. */
export function acceptNow(verifier: TokenVerifier, token: string): Principal {
  const result = verifier.verify(token);
  assert.ok(!(result instanceof Promise), 'the verdict must not need a fetch');
  return result;
}

/**
 * Returns the reason why a token is rejected. Fails if the token is accepted, or rejected with a different
 * reply than other tokens.
 */
export async function refusalOf(verifier: TokenVerifier, token: string): Promise<string> {
  let accepted: Principal;
  try {
    accepted = await verifier.verify(token);
  } catch (error) {
    return uniformReason(error);
  }
  return assert.fail(`accepted as ${accepted.subject}`);
}

/** Asserts that an error is the uniform 401 and returns the reason in its cause. */
export function uniformReason(error: unknown): string {
  assert.ok(error instanceof Problem, `not a Problem: ${String(error)}`);
  assert.deepEqual(problemDocument(error, '/x', 'id'), UNIFORM);
  assert.deepEqual(error.extras.headers, { 'www-authenticate': 'Bearer' });
  assert.ok(error.cause instanceof Error);
  return error.cause.message;
}

const UNIFORM = {
  type: 'urn:gatehouse:problem:unauthorized',
  title: 'Unauthorized',
  status: 401,
  detail: 'A valid bearer token is required.',
  instance: '/x',
  code: 'unauthorized',
  message: 'A valid bearer token is required.',
  requestId: 'id',
  recommendation: 'Send a valid token as "Authorization: Bearer <token>".',
};
