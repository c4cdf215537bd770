import type { Principal } from './principal.js';

/** Public reason for a failed sign-in at an identity provider. */
export type SignInProblem =
  | 'issuer_unknown'
  | 'issuer_unavailable'
  | 'issuer_mismatch'
  | 'state_mismatch'
  | 'denied'
  | 'not_accepted'
  | 'token_too_long'
  | 'too_many_requests';

/** A failed sign-in. The message is only for the log, and contains no part of a token. */
export class SignInFailure extends Error {
  readonly problem: SignInProblem;
  /** Path to return to; undefined if the failure occurred before the path was known. */
  readonly returnTo: string | undefined;

  constructor(problem: SignInProblem, message: string, returnTo?: string) {
    super(message);
    this.name = 'SignInFailure';
    this.problem = problem;
    this.returnTo = returnTo;
  }
}

/** An identity provider for sign-ins. */
export interface SignInProvider {
  readonly issuer: string;
  /** Name on the sign-in page. */
  readonly name: string;
}

/** A started sign-in. */
export interface BegunSignIn {
  /** URL of the identity provider to which the browser is redirected. */
  readonly location: string;
  /** Value of a cookie that the browser must return. Only gatehouse can read and create the sealed value. */
  readonly sealed: string;
  /** Maximum duration of the sign-in, in seconds. */
  readonly lifeSeconds: number;
}

/** A completed sign-in. */
export interface FinishedSignIn {
  readonly token: string;
  readonly principal: Principal;
  readonly returnTo: string;
}

/** Sign-ins with a browser: the authorization code flow of OpenID Connect with PKCE (RFC 7636). */
export interface SignIns {
  /** Origin that browsers use to reach this server; empty if not configured. */
  readonly publicOrigin: string;
  readonly providers: readonly SignInProvider[];
  /** Starts a sign-in. Throws a SignInFailure. */
  begin(issuer: string, returnTo: string): Promise<BegunSignIn>;
  /** Completes a sign-in from the provider's parameters and the browser's cookie. Throws a SignInFailure. */
  finish(parameters: URLSearchParams, sealed: string): Promise<FinishedSignIn>;
}
