import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../core/lib/clock.js';
import { SignInFailure } from '../../core/sign-in.js';
import type { StateCookieSeal } from './state-cookie.js';

/** How long a person may take at the identity provider, in seconds. */
export const FLOW_SECONDS = 600;

/** One sign-in between its beginning and its end; a browser keeps it for us, sealed. */
export interface Flow {
  readonly issuer: string;
  readonly returnTo: string;
  /** Ties the way back to the browser that went (RFC 6749 section 10.12). */
  readonly state: string;
  /** Ties the id token to this sign-in (OpenID Connect Core 1.0, section 3.1.2.1). */
  readonly nonce: string;
  /** Ties the code to us (RFC 7636). */
  readonly codeVerifier: string;
  /** First millisecond since 1970 at which it is over. */
  readonly until: number;
}

/** Begins a flow, with 256 random bits in each of its ties. */
export function newFlow(issuer: string, returnTo: string, clock: Clock): Flow {
  const random = (): string => randomBytes(32).toString('base64url');
  const until = clock.now() + FLOW_SECONDS * 1000;
  return { issuer, returnTo, state: random(), nonce: random(), codeVerifier: random(), until };
}

/** The challenge S256 of a flow's code verifier (RFC 7636 section 4.2). */
export function challengeOf({ codeVerifier }: Flow): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

/** What a browser brought back. */
export interface AuthorizationResponse {
  readonly sealed: string;
  readonly state: string;
}

/** The flow that a browser has kept and comes back to. Throws `state_mismatch` for another state, or for one that is over. */
export function resumeFlow(
  { sealed, state }: AuthorizationResponse,
  seal: StateCookieSeal,
  clock: Clock,
): Flow {
  const text = seal.open(sealed);
  if (text === undefined) throw mismatch('this browser has begun no sign-in, or with another key');
  // What the seal has kept is as it was written.
  const flow = JSON.parse(text) as Flow;
  if (clock.now() >= flow.until) throw mismatch('the sign-in took too long');
  if (!isSame(state, flow.state)) throw mismatch('the state is that of another sign-in');
  return flow;
}

/** True for equal texts, in a time that tells nothing of where they differ. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function mismatch(message: string): SignInFailure {
  return new SignInFailure('state_mismatch', message);
}
