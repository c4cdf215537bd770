import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../core/lib/clock.js';
import { SignInFailure } from '../../core/sign-in.js';
import type { StateCookieSeal } from './state-cookie.js';

/** Maximum time for a person at the identity provider, in seconds. */
export const FLOW_SECONDS = 600;

/** State of a pending sign-in; the browser keeps it for us, sealed. */
export interface Flow {
  readonly issuer: string;
  readonly returnTo: string;
  /** Binds the redirect back to the browser that started the sign-in (RFC 6749 section 10.12). */
  readonly state: string;
  /** Binds the id token to this sign-in (OpenID Connect Core 1.0, section 3.1.2.1). */
  readonly nonce: string;
  /** Binds the code to this client (RFC 7636). */
  readonly codeVerifier: string;
  /** Time of expiry, in milliseconds since 1970; the flow is invalid from then on. */
  readonly until: number;
}

/** Starts a flow, with 256 random bits each in state, nonce and code verifier. */
export function newFlow(issuer: string, returnTo: string, clock: Clock): Flow {
  const random = (): string => randomBytes(32).toString('base64url');
  const until = clock.now() + FLOW_SECONDS * 1000;
  return { issuer, returnTo, state: random(), nonce: random(), codeVerifier: random(), until };
}

/** Returns the challenge S256 of a flow's code verifier (RFC 7636 section 4.2). */
export function challengeOf({ codeVerifier }: Flow): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

/** Sealed flow and state that a browser returns. */
export interface AuthorizationResponse {
  readonly sealed: string;
  readonly state: string;
}

/**
 * Opens the flow that a browser returns. Throws `state_mismatch` for another state, and for a flow that has
 * expired.
 */
export function resumeFlow(
  { sealed, state }: AuthorizationResponse,
  seal: StateCookieSeal,
  clock: Clock,
): Flow {
  const text = seal.open(sealed);
  if (text === undefined) throw mismatch('this browser has begun no sign-in, or with another key');
  // The seal guarantees that the text is unchanged.
  const flow = JSON.parse(text) as Flow;
  if (clock.now() >= flow.until) throw mismatch('the sign-in took too long');
  if (!isSame(state, flow.state)) throw mismatch('the state is that of another sign-in');
  return flow;
}

/** Returns true for equal texts. The time reveals nothing about the position of a difference. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function mismatch(message: string): SignInFailure {
  return new SignInFailure('state_mismatch', message);
}
