import type { Principal } from './principal.js';

/** Why a sign-in at an identity provider failed, in one word that is no secret. */
export type SignInProblem =
  | 'issuer_unknown'
  | 'issuer_unavailable'
  | 'issuer_mismatch'
  | 'state_mismatch'
  | 'denied'
  | 'not_accepted'
  | 'token_too_long'
  | 'too_many_requests';

/** A sign-in that came to nothing. The message is for the log alone, and quotes nothing of a token. */
export class SignInFailure extends Error {
  readonly problem: SignInProblem;
  /** Where the person wanted to go, once that is known. */
  readonly returnTo: string | undefined;

  constructor(problem: SignInProblem, message: string, returnTo?: string) {
    super(message);
    this.name = 'SignInFailure';
    this.problem = problem;
    this.returnTo = returnTo;
  }
}

/** An identity provider at which people can sign in. */
export interface SignInProvider {
  readonly issuer: string;
  /** For people. */
  readonly name: string;
}

/** A sign-in that has begun. */
export interface BegunSignIn {
  /** URL of the identity provider at which the browser goes on. */
  readonly location: string;
  /** What the browser must bring back, as a cookie: sealed, so that only we can read or make it. */
  readonly sealed: string;
  /** How long it may take, in seconds. */
  readonly lifeSeconds: number;
}

/** A sign-in that has succeeded. */
export interface FinishedSignIn {
  readonly token: string;
  readonly principal: Principal;
  readonly returnTo: string;
}

/** Sign-ins with a browser: the authorization code flow of OpenID Connect with PKCE (RFC 7636), between two servers. */
export interface SignIns {
  /** Origin under which browsers reach this server; empty where nobody said. */
  readonly publicOrigin: string;
  readonly providers: readonly SignInProvider[];
  /** Throws a SignInFailure. */
  begin(issuer: string, returnTo: string): Promise<BegunSignIn>;
  /** What the provider sent the browser back with, and what the browser kept. Throws a SignInFailure. */
  finish(parameters: URLSearchParams, sealed: string): Promise<FinishedSignIn>;
}
