import type { Principal } from './principal.js';

/** Reason for a failed sign-in at an identity provider, in one word that is not secret. */
export type SignInProblem =
  | 'issuer_unknown'
  | 'issuer_unavailable'
  | 'issuer_mismatch'
  | 'state_mismatch'
  | 'denied'
  | 'not_accepted'
  | 'token_too_long'
  | 'too_many_requests';

/** A failed sign-in. The message is only for the log, and quotes no part of a token. */
export class SignInFailure extends Error {
  readonly problem: SignInProblem;
  /** Path that the person wanted, if it is already known. */
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
  /** Name for people. */
  readonly name: string;
}

/** A started sign-in. */
export interface BegunSignIn {
  /** URL of the identity provider to which the browser is redirected. */
  readonly location: string;
  /** Cookie that the browser must return. It is sealed, so that only gatehouse can read or create it. */
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

/**
 * Sign-ins with a browser: the authorization code flow of OpenID Connect with PKCE (RFC 7636), between two
 * servers.
 */
export interface SignIns {
  /** Origin that browsers use to reach this server; empty if not configured. */
  readonly publicOrigin: string;
  readonly providers: readonly SignInProvider[];
  /** Starts a sign-in. Throws a SignInFailure. */
  begin(issuer: string, returnTo: string): Promise<BegunSignIn>;
  /** Completes a sign-in from the provider's parameters and the browser's cookie. Throws a SignInFailure. */
  finish(parameters: URLSearchParams, sealed: string): Promise<FinishedSignIn>;
}
