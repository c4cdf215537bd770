import { type ClientCertificate, CERTIFICATE_ISSUER } from '../core/certificate.js';
import type { Logins, RequestHead, CredentialScheme } from '../core/login.js';
import { LOCAL_ISSUER, type Principal, type TokenVerifier } from '../core/principal.js';
import { Problem, withExtras } from '../core/problem.js';
import { isOwnPage, requireMark } from '../core/same-origin.js';
import { ownMember } from '../json/json-object.js';
import type { Clock } from '../lib/clock.js';
import type { ClientCertificateSettings } from '../settings/settings.js';
import { isBasic, type NameAndPassword, readBasic } from './basic-credentials.js';
import { readBearer } from './bearer.js';
import { unauthorized } from './rejected-token.js';
import { sessionTokens } from './session-cookie.js';

/**
 * Returns the token of an Authorization header (RFC 6750). Throws `unauthorized` unless exactly one such
 * header exists and contains exactly one token.
 */
export function bearerToken(rawAuthorization: readonly string[] | string | undefined): string {
  const isText = typeof rawAuthorization === 'string';
  const count = isText ? 1 : (rawAuthorization?.length ?? 0);
  if (count !== 1) throw unauthorized(new Error(`${count} authorization headers`));
  const token = readBearer((isText ? rawAuthorization : rawAuthorization?.[0]) ?? '');
  if (token === undefined)
    throw unauthorized(new Error('the authorization header does not have the scheme Bearer and one token'));
  return token;
}

type Credentials =
  | { readonly token: string; readonly isInQuery?: true }
  | { readonly credentials: NameAndPassword }
  | { readonly certificate: ClientCertificate };

/**
 * Returns the credentials of a request: the Authorization header, else the query parameter `token`, else the
 * cookie of the session (wire section 1.2), else the certificate of the connection. Ignores a parameter or
 * cookie that the configuration does not accept, but rejects such a header, because a client sends the header on
 * purpose. Throws `unauthorized`. Throws `csrf_refused` for a change with a cookie or a certificate but without the
 * CSRF header of this server's pages.
 */
export function extractCredentials(head: RequestHead, accept: ReadonlySet<CredentialScheme>): Credentials {
  const authorization = head.header('authorization');
  if (authorization !== undefined) return headerCredentials(authorization, head, accept);
  const inQuery = accept.has('query') ? queryTokens(head.target) : [];
  if (inQuery.length > 0) return { token: onlyToken(inQuery, 'parameters'), isInQuery: true };
  const inCookies = accept.has('cookie') ? sessionTokens(head, { isOverTls: head.isOverTls === true }) : [];
  const certificate = inCookies.length === 0 ? head.clientCertificate?.() : undefined;
  if (inCookies.length === 0 && !certificate) throw refused('no token was sent');
  // Browsers send cookies and certificates also with requests that a page of another site has caused.
  refuseForeignPage(head);
  requireMark(head);
  return certificate ? { certificate } : { token: onlyToken(inCookies, 'cookies') };
}

function headerCredentials(
  authorization: string,
  head: RequestHead,
  accept: ReadonlySet<CredentialScheme>,
): Credentials {
  if (!isBasic(authorization)) {
    const token = bearerToken(authorization);
    if (accept.has('bearer')) return { token };
    throw refused('Bearer is not in auth.local.accept');
  }
  if (!accept.has('basic')) throw refused('Basic is not in auth.local.accept');
  refuseForeignPage(head);
  const credentials = readBasic(authorization);
  if (!credentials) throw refused('the authorization header is not "Basic <name and password>"');
  return { credentials };
}

function queryTokens(target: string): readonly string[] {
  const at = target.indexOf('?');
  return at < 0 ? [] : new URLSearchParams(target.slice(at + 1)).getAll('token');
}

/** Returns the only token. Rejects several tokens, because peers might choose different tokens. */
function onlyToken(tokens: readonly string[], tokenKind: string): string {
  if (tokens.length > 1) throw refused(`${tokens.length} ${tokenKind} with the name token`);
  return bearerToken(`Bearer ${tokens[0] ?? ''}`);
}

/**
 * Rejects requests from pages of other sites. Browsers add cookies and saved passwords to such requests, but
 * the person did not intend the requests.
 */
function refuseForeignPage(head: RequestHead): void {
  if (!isOwnPage(head)) throw refused('a page of another site sent it');
}

function refused(reason: string): Error {
  return unauthorized(new Error(reason));
}

/** Dependencies of the authentication, from one load of the configuration. */
interface AuthenticationDeps {
  readonly verifier: TokenVerifier;
  readonly logins: Logins;
  readonly clientCertificates: ClientCertificateSettings;
  readonly clock: Clock;
  /** Called for each caller whose valid token is in the query. */
  readonly onQueryToken?: (principal: Principal) => void;
}

/** Schemes that use only the Authorization header. */
export const HEADER_STYLES: readonly CredentialScheme[] = ['bearer', 'basic'];

/**
 * Authenticates the sender of a request by an accepted scheme, or by one that is also in `styles` if `styles`
 * is present. The result is synchronous for a token that needs no key to be fetched. Throws `unauthorized`, `csrf_refused`,
 * `too_many_requests` or `login_busy`.
 */
export function authenticate(
  head: RequestHead,
  deps: AuthenticationDeps,
  styles?: readonly CredentialScheme[],
): Principal | Promise<Principal> {
  const { logins } = deps;
  const accept = styles ? new Set(styles.filter((style) => logins.accept.has(style))) : logins.accept;
  try {
    const principal = authenticateBy(accept, head, deps);
    return principal instanceof Promise ? challenged(principal, accept, head) : principal;
  } catch (error) {
    throw challengeFor(error, accept, head);
  }
}

async function challenged(
  principal: Promise<Principal>,
  accept: ReadonlySet<CredentialScheme>,
  head: RequestHead,
): Promise<Principal> {
  try {
    return await principal;
  } catch (error) {
    throw challengeFor(error, accept, head);
  }
}

/** Returns the error, with the challenge of Basic if the caller may answer it. */
function challengeFor(error: unknown, accept: ReadonlySet<CredentialScheme>, head: RequestHead): unknown {
  return accept.has('basic') && !isBrowser(head) ? withBasicChallenge(error) : error;
}

function authenticateBy(
  accept: ReadonlySet<CredentialScheme>,
  head: RequestHead,
  deps: AuthenticationDeps,
): Principal | Promise<Principal> {
  const { verifier, clientCertificates, clock } = deps;
  const credentials = extractCredentials(head, accept);
  if ('certificate' in credentials)
    return principalOfCertificate(credentials.certificate, clientCertificates, clock.now());
  if ('credentials' in credentials) return authenticateByPassword(credentials.credentials, head, deps);
  const principal = verifier.verify(credentials.token);
  return credentials.isInQuery ? notedInQuery(principal, deps) : principal;
}

function notedInQuery(
  principal: Principal | Promise<Principal>,
  { onQueryToken }: AuthenticationDeps,
): Principal | Promise<Principal> {
  const noteCaller = (caller: Principal): Principal => {
    onQueryToken?.(caller);
    return caller;
  };
  return principal instanceof Promise ? principal.then(noteCaller) : noteCaller(principal);
}

async function authenticateByPassword(
  credentials: NameAndPassword,
  { address }: RequestHead,
  { logins, clock }: AuthenticationDeps,
): Promise<Principal> {
  const attempt = { ...credentials, address, kinds: ['user', 'client'] as const };
  const { name, roles } = await logins.logIn(attempt).catch(asUnauthorized);
  // Each call sends the password, so the principal is valid only for this call.
  return { subject: name, issuer: LOCAL_ISSUER, roles, expiresAt: Math.floor(clock.now() / 1000) };
}

/** Converts `invalid_credentials` to the `unauthorized` of all rejected callers; the cause is the reason. */
function asUnauthorized(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'invalid_credentials') throw error;
  throw unauthorized(new Error(error.extras.outcome ?? error.message));
}

/**
 * Returns true for a request of a browser, which would ask for a name and a password in a dialog of its own. Browsers
 * omit the fetch metadata on an origin without TLS.
 */
function isBrowser({ header }: RequestHead): boolean {
  const isFetched = header('sec-fetch-site') !== undefined || header('origin') !== undefined;
  return isFetched || header('user-agent')?.startsWith('Mozilla/') === true;
}

/** Adds the challenge of Basic (RFC 7617), because many clients send a password only when they are asked for it. */
function withBasicChallenge(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'unauthorized') return error;
  const { headers } = error.extras;
  const bearer = headers?.['www-authenticate'] ?? 'Bearer';
  return withExtras(error, {
    headers: { ...headers, 'www-authenticate': [bearer, BASIC_CHALLENGE].flat() },
  });
}

const BASIC_CHALLENGE = 'Basic realm="gatehouse", charset="UTF-8"';

/**
 * Returns the principal of a certificate that a caller has presented, at the time `now` in milliseconds since 1970. Throws
 * `unauthorized` for a certificate that the listener could not verify, that has expired during the connection, or that does
 * not have exactly one name of the configured kind: two names would let the owner choose.
 */
function principalOfCertificate(
  certificate: ClientCertificate,
  { subject: kind, roles }: ClientCertificateSettings,
  now: number,
): Principal {
  if ('refusal' in certificate) throw certificateRefused(`is not accepted: ${certificate.refusal}`);
  const { names, notAfter } = certificate;
  if (now >= notAfter) throw certificateRefused('has expired');
  const [subject, ...others] = names[kind];
  if (subject === undefined || others.length > 0)
    throw certificateRefused(`has ${names[kind].length} names of the kind ${kind}, and needs exactly one`);
  if (!isPlain(subject))
    throw certificateRefused(`has a name of the kind ${kind} that is empty or has control characters`);
  return {
    subject,
    issuer: CERTIFICATE_ISSUER,
    roles: [ownMember(roles, subject) ?? []].flat().map(String),
    expiresAt: Math.floor(notAfter / 1000),
  };
}

function isPlain(name: string): boolean {
  return name !== '' && !/\p{Cc}/u.test(name);
}

function certificateRefused(reason: string): Error {
  return unauthorized(new Error(`the client certificate ${reason}`));
}
