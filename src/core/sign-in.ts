import type { SessionLifetimes } from '../settings/settings.js';
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

/** Where a sign-in failed, if known. */
interface FailureContext {
  readonly issuer?: string;
  readonly returnTo?: string;
}

/** A failed sign-in. The message is only for the log, and contains no part of a token. */
export class SignInFailure extends Error {
  readonly problem: SignInProblem;
  readonly context: FailureContext;
  /** The caller; absent if the issuer has not confirmed who it is. */
  caller?: CallerIdentity;

  constructor(problem: SignInProblem, message: string, context: FailureContext = {}) {
    super(message);
    this.name = 'SignInFailure';
    this.problem = problem;
    this.context = context;
  }
}

/** Returns the failure with the caller whom the issuer has confirmed. */
export function withCaller(failure: SignInFailure, caller: CallerIdentity | undefined): SignInFailure {
  return caller ? Object.assign(failure, { caller }) : failure;
}

interface SignInProvider {
  readonly issuer: string;
  readonly name: string;
}

/** An identity provider for sign-ins at a shell, and the public client that `gatehouse login` uses there. */
export interface ShellProvider extends SignInProvider {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

interface BegunSignIn {
  /** Value of `state` in the authorization request, which identifies the attempt. */
  readonly state: string;
  /** URL of the identity provider to which the browser is redirected. */
  readonly location: string;
  /** Value of a cookie that the browser must return. Only gatehouse can read and create the sealed value. */
  readonly sealed: string;
  /** Maximum duration of the sign-in, in seconds. */
  readonly lifeSeconds: number;
}

/** Tokens of a person from an identity provider. */
export interface SignInTokens {
  /** The token that requests of the browser send. */
  readonly token: string;
  readonly principal: Principal;
  /** Absent if the provider did not repeat it at a renewal. */
  readonly idToken?: string;
  /** Absent if the provider gives none; the session then ends with the token. */
  readonly refreshToken?: string;
  /** Session id at the provider: claim `sid` of the id token. */
  readonly sid?: string;
}

export interface FinishedSignIn extends SignInTokens {
  readonly returnTo: string;
}

/** A started sign-out at a provider. */
export interface LogoutNotice {
  readonly issuer: string;
  /** The session that ends; absent: all sessions of the subject. */
  readonly sid: string | undefined;
  readonly subject: string | undefined;
  /** `iat` of the notice, in seconds since 1970. */
  readonly issuedAt: number;
}

/** Authenticated encryption of texts. */
export interface TextCipher {
  /** Encrypts a text; returns base64url. */
  readonly encrypt: (text: string) => string;
  /** Returns the original text; `undefined` if the text was changed or encrypted with another key. */
  readonly decrypt: (sealed: string) => string | undefined;
}

/** Sign-ins with a browser: the authorization code flow of OpenID Connect with PKCE (RFC 7636). */
export interface SignIns {
  /** Origin that browsers use to reach this server; empty if not configured. */
  readonly publicOrigin: string;
  readonly providers: readonly SignInProvider[];
  /** Lifetimes of the sessions of browsers. */
  readonly lifetimes: SessionLifetimes;
  /** Starts a sign-in; `login` makes the provider ask for credentials again. Throws a SignInFailure. */
  begin(issuer: string, returnTo: string, prompt?: 'login'): Promise<BegunSignIn>;
  /** Completes a sign-in from the provider's parameters and the browser's cookie. Throws a SignInFailure. */
  finish(parameters: URLSearchParams, sealed: string): Promise<FinishedSignIn>;
  /**
   * Exchanges a refresh token for new tokens of the same subject. Throws a SignInFailure: `issuer_unavailable` if
   * a later attempt may succeed.
   */
  renew(issuer: string, subject: string, refreshToken: string): Promise<SignInTokens>;
  /** Returns the maximum duration of `renew` for an issuer, in milliseconds; 0 for an issuer without sign-in. */
  renewalMs(issuer: string): number;
  /**
   * Returns the URL that signs the person out at the provider (OpenID Connect RP-Initiated Logout 1.0);
   * `undefined` if the provider has none, or if the settings of the issuer disable this.
   */
  signOutUrl(issuer: string, idToken: string): Promise<string | undefined>;
  /**
   * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws a SignInFailure
   * `not_accepted`, or `issuer_unavailable`.
   */
  verifyLogoutToken(token: string): Promise<LogoutNotice>;
  /** Returns the encryption of the tokens of a session, whose key needs the cookie of the session. */
  sessionCipher(cookie: string): TextCipher;
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

interface SignInPageTerms {
  /** Reason for the last failed sign-in. */
  readonly problem?: SignInProblem;
  /** Id of the request that failed, for the log. */
  readonly requestId?: string;
  /** Path to return to; absent: the console. */
  readonly returnTo?: string;
  /** `login`: the identity provider asks for credentials, also if it knows the person. */
  readonly prompt?: 'login' | undefined;
}

/** Returns the path and query of the sign-in page. */
export function signInPage({ problem, requestId, returnTo, prompt }: SignInPageTerms = {}): string {
  const query = new URLSearchParams({
    ...(problem !== undefined && { problem }),
    ...(requestId !== undefined && { request: requestId }),
    ...(returnTo !== undefined && { return: returnTo }),
    ...(prompt !== undefined && { prompt }),
  }).toString();
  return `/ui/sign-in${query === '' ? '' : `?${query}`}`;
}
