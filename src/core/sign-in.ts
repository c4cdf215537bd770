import type { CallerIdentity, Principal } from './principal.js';

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
  /** The caller; absent if the issuer has not confirmed who it is. */
  caller?: CallerIdentity;

  constructor(problem: SignInProblem, message: string, returnTo?: string) {
    super(message);
    this.name = 'SignInFailure';
    this.problem = problem;
    this.returnTo = returnTo;
  }
}

/** Returns the failure with the caller whom the issuer has confirmed. */
export function withCaller(failure: SignInFailure, caller: CallerIdentity | undefined): SignInFailure {
  return caller ? Object.assign(failure, { caller }) : failure;
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

/** Paths that a sign-in may return to. Other paths are excluded, because their GET may change state. */
const PAGE_PATHS = ['/ui', '/docs', '/json-forms/task'];

/** Default path after a sign-in. */
const CONSOLE_PATH = '/ui/';

/** Maximum length of the return path, in characters. The path must fit into a cookie. */
const MAX_RETURN_LENGTH = 1500;

/**
 * Returns the path and query to return to after a sign-in. This is the wanted path if it belongs to a page of
 * this server, otherwise the console.
 */
export function returnPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > MAX_RETURN_LENGTH || !/^\/(?![/\\])[!-[\]-~]*$/.test(wanted))
    return CONSOLE_PATH;
  if (!URL.canParse(wanted, 'http://here.invalid')) return CONSOLE_PATH;
  const { origin, pathname, search } = new URL(wanted, 'http://here.invalid');
  if (origin !== 'http://here.invalid' || pathname.includes('//')) return CONSOLE_PATH;
  const path = pathname + search;
  // The normalized path may be longer than the wanted path.
  if (path.length > MAX_RETURN_LENGTH) return CONSOLE_PATH;
  return PAGE_PATHS.some((pagePath) => `${pathname}/`.startsWith(`${pagePath}/`)) ? path : CONSOLE_PATH;
}

/** Parameters of the sign-in page. */
export interface SignInPageTerms {
  /** Reason for the last failed sign-in. */
  readonly problem?: string;
  /** Path to return to; absent: the console. */
  readonly returnTo?: string;
}

/** Returns the path and query of the sign-in page. */
export function signInPage({ problem, returnTo }: SignInPageTerms = {}): string {
  const query = new URLSearchParams({
    ...(problem !== undefined && { problem }),
    ...(returnTo !== undefined && { return: returnTo }),
  }).toString();
  return `/ui/sign-in${query === '' ? '' : `?${query}`}`;
}
