import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SignInFailure, type TextCipher } from '../../core/sign-in.js';
import type { Clock } from '../../lib/clock.js';

/** Maximum time between the start and the end of a sign-in, in seconds. */
export const FLOW_SECONDS = 600;

/** State of a pending sign-in. The browser stores the state, encrypted, in a cookie. */
export interface Flow {
  readonly issuer: string;
  readonly returnTo: string;
  /** Binds the redirect to the browser that started the sign-in (RFC 6749 section 10.12). */
  readonly state: string;
  /** Binds the id token to this sign-in (OpenID Connect Core 1.0, section 3.1.2.1). */
  readonly nonce: string;
  /** Binds the code to this client (RFC 7636). */
  readonly codeVerifier: string;
  /** Time of expiry, in milliseconds since 1970; the flow is invalid from this time. */
  readonly until: number;
}

/** Creates a flow. State, nonce and code verifier have 256 random bits each. */
export function createFlow(issuer: string, returnTo: string, clock: Clock): Flow {
  const until = clock.now() + FLOW_SECONDS * 1000;
  return { issuer, returnTo, state: randomText(), nonce: randomText(), codeVerifier: randomText(), until };
}

/** Returns a text of 256 random bits: a state, a nonce or a code verifier. */
export function randomText(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the S256 challenge of a code verifier (RFC 7636 section 4.2). */
export function challengeOf({ codeVerifier }: Pick<Flow, 'codeVerifier'>): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

/** Encrypted flow and state that a browser returns. */
interface AuthorizationResponse {
  readonly sealed: string;
  readonly state: string;
}

/**
 * Decrypts the flow that a browser returns. Throws `state_mismatch` for an unreadable or expired flow, and
 * for another state.
 */
export function resumeFlow({ sealed, state }: AuthorizationResponse, cipher: TextCipher, clock: Clock): Flow {
  const text = cipher.decrypt(sealed);
  if (text === undefined) throw stateMismatch('this browser has no pending sign-in, or its key has changed');
  // The encryption is authenticated, so the text is unchanged.
  const flow = JSON.parse(text) as Flow;
  if (clock.now() >= flow.until) throw stateMismatch('the sign-in took too long');
  if (!equalsInConstantTime(state, flow.state)) throw stateMismatch('the state is that of another sign-in');
  return flow;
}

/** Returns true for equal texts. The duration does not reveal the position of a difference. */
function equalsInConstantTime(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

function stateMismatch(message: string): SignInFailure {
  return new SignInFailure('state_mismatch', message);
}
