import type { AdapterAuthSettings, OAuth2Settings } from '../core/adapter-settings.js';
import { type UpstreamReply, headerOf } from '../core/adapter.js';
import { fixedCredentials, isFixed, type LoginAuth, basicCredentials } from './adapter-auth.js';
import { beforeDeadline } from './deadline.js';
import type { Credentials, Session, OpenSession } from './login/session.js';
import { createSessionCache, type SessionCache } from './login/session-cache.js';
import type { SessionDeps } from './login/login-dedupe.js';
import { stepsLogin } from './login/steps.js';
import type { SendTo, UpstreamCall } from './send.js';
import type { Endpoint } from './endpoint.js';
import { Problem } from '../core/problem.js';
import { isHeaderValue } from '../core/header.js';
import type { HttpRequest } from '../core/http.js';
import { valueAt } from '../core/pointer.js';
import { loginProblem, loginFailed, looseJson, secondsOf } from './login/refused.js';

const WHAT = 'the request for an OAuth 2.0 token';

/** Returns a login that obtains a bearer token with the client credentials grant (RFC 6749 section 4.4). */
function oauth2Login(settings: OAuth2Settings): OpenSession {
  return async ({ send, keepSecret }) => {
    const reply = await send(tokenRequest(settings));
    const answer = looseJson(reply);
    if (reply.status !== 200 && reply.status !== 201) throw loginProblem(WHAT, reply, errorWord(answer));
    const token = tokenOf(answer);
    keepSecret(token);
    const lifeSeconds = secondsOf(valueAt(answer, '/expires_in'));
    return {
      headers: { authorization: `Bearer ${token}` },
      ...(lifeSeconds !== undefined && { lifeSeconds }),
    };
  };
}

function tokenRequest(settings: OAuth2Settings): HttpRequest {
  const { tokenUrl, clientId, clientSecret, scope, clientAuth, encoding } = settings;
  const secret = clientSecret.reveal();
  const fields = {
    grant_type: 'client_credentials',
    ...(scope !== null && { scope }),
    ...(clientAuth === 'body' && { client_id: clientId, client_secret: secret }),
  };
  const isForm = encoding === 'form';
  return {
    method: 'POST',
    url: tokenUrl,
    headers: {
      accept: 'application/json',
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(clientAuth === 'basic' && {
        authorization: isForm ? clientCredentials(clientId, secret) : basicCredentials(clientId, secret),
      }),
    },
    body: Buffer.from(isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields)),
  };
}

/**
 * Returns Basic credentials with id and secret form-encoded (RFC 6749 section 2.3.1). Servers that expect
 * JSON follow RFC 7617 only.
 */
function clientCredentials(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return basicCredentials(encode(id), encode(secret));
}

function tokenOf(answer: unknown): string {
  const token = valueAt(answer, '/access_token');
  const type = valueAt(answer, '/token_type') ?? 'bearer';
  if (typeof token !== 'string' || token === '' || !isHeaderValue(token) || /\s/.test(token))
    throw loginFailed(WHAT, 'was answered without an access_token that a header can carry');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw loginFailed(WHAT, 'was answered with a token that is no bearer token');
  return token;
}

/**
 * Returns the error code (RFC 6749 section 5.2) if it is well-formed. Omits the description, which may repeat
 * anything.
 */
function errorWord(answer: unknown): string | undefined {
  const word = valueAt(answer, '/error');
  return typeof word === 'string' && /^[a-z_]{1,40}$/.test(word) ? word : undefined;
}

/** Sends a call to one base URL with the given credentials. */
export type SendWith = (
  call: UpstreamCall,
  endpoint: Endpoint,
  credentials: Credentials,
) => Promise<UpstreamReply>;

/** Credentials for a request that the caller sends separately. */
export interface CredentialLease extends Credentials {
  /**
   * Reports the status of the reply. If the status means that the session has ended, opens a new session for
   * the next request and resolves to true on success.
   */
  heard(status: number): Promise<boolean> | undefined;
}

/** Sends calls with the adapter's credentials, and manages the sessions for them. */
export interface AuthenticatedSender {
  readonly send: SendTo;
  /** Returns the credentials for one base URL; logs in first if necessary. Throws the error of the login. */
  readonly acquireCredentials: (endpoint: Endpoint) => CredentialLease | Promise<CredentialLease>;
  close(): void;
}

/** Creates a sender with the adapter's credentials, either from the settings or from a login session. */
export function withAuthentication(
  auth: AdapterAuthSettings,
  deps: SessionDeps,
  next: SendWith,
): AuthenticatedSender {
  if (!isFixed(auth)) return withSessions(auth, deps, next);
  const credentials = fixedCredentials(auth);
  const lent = { ...credentials, heard: () => undefined };
  return {
    send: (call, endpoint) => next(call, endpoint, credentials),
    acquireCredentials: () => lent,
    close: () => undefined,
  };
}

function withSessions(auth: LoginAuth, deps: SessionDeps, next: SendWith): AuthenticatedSender {
  const keepers = new Map<string, SessionCache>();
  const refusalStatus = sessionOver(auth);
  const refreshOn = auth.type === 'login' ? auth.refreshOn : [401];
  async function sendIn(
    session: Session,
    { trip: call, endpoint }: { trip: UpstreamCall; endpoint: Endpoint },
  ): Promise<UpstreamReply> {
    const reply = await next(call, endpoint, session);
    if (refusalStatus(reply) === undefined) session.wasAccepted = true;
    return reply;
  }
  function lent(keeper: SessionCache, session: Session): CredentialLease {
    return {
      ...session,
      heard(status) {
        if (refreshOn.includes(status)) return keeper.renew(session, status)?.then(IS_RENEWED, IS_NOT);
        session.wasAccepted = true;
        return undefined;
      },
    };
  }
  return {
    async send(call, endpoint) {
      const keeper = sessionCacheFor(keepers, { auth, endpoint, deps });
      call.deadline.phase = 'logging in';
      const current = keeper.current();
      const session = current instanceof Promise ? await beforeDeadline(current, call.deadline) : current;
      const reply = await sendIn(session, { trip: call, endpoint });
      const status = refusalStatus(reply);
      if (status === undefined) return reply;
      const renewed = await renewedSession(keeper.renew(session, status), call);
      if (!renewed || !mayRepeat(call.request.method, reply.status)) return passthroughHeaders(reply);
      const second = await sendIn(renewed, { trip: call, endpoint });
      if (refusalStatus(second) === undefined) return second;
      keeper.renewedInVain();
      return passthroughHeaders(second);
    },
    acquireCredentials(endpoint) {
      const keeper = sessionCacheFor(keepers, { auth, endpoint, deps });
      const current = keeper.current();
      return current instanceof Promise
        ? current.then((session) => lent(keeper, session))
        : lent(keeper, current);
    },
    close() {
      for (const keeper of keepers.values()) keeper.close();
    },
  };
}

const IS_RENEWED = (): boolean => true;
const IS_NOT = (): boolean => false;

interface LoginTarget {
  readonly auth: LoginAuth;
  readonly endpoint: Endpoint;
  readonly deps: SessionDeps;
}

/**
 * Returns the session cache of an endpoint. A session of a declared login is valid for one base URL; an OAuth
 * 2.0 token is valid for all.
 */
function sessionCacheFor(
  keepers: Map<string, SessionCache>,
  { auth, endpoint, deps }: LoginTarget,
): SessionCache {
  const key = auth.type === 'login' ? endpoint.url : '';
  let keeper = keepers.get(key);
  if (!keeper) {
    const open = auth.type === 'login' ? stepsLogin(auth, endpoint.base, deps.scheduler) : oauth2Login(auth);
    keeper = createSessionCache(open, deps);
    keepers.set(key, keeper);
  }
  return keeper;
}

/**
 * Returns the renewed session; `undefined` when the renewal was not permitted or failed. The refusal then
 * remains, and the log has the reason.
 */
async function renewedSession<T>(
  renewing: Promise<T> | undefined,
  { deadline }: UpstreamCall,
): Promise<T | undefined> {
  try {
    return renewing && (await beforeDeadline(renewing, deadline));
  } catch {
    deadline.check();
    return undefined;
  }
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns true if a refused request may be sent again: a 401 proves that it had no effect (RFC 9110 section
 * 15.5.2).
 */
export function mayRepeat(method: string, status: number): boolean {
  return status === 401 || SAFE.has(method);
}

/**
 * Creates a function that returns the status with which a reply ends the session, or `undefined`. A login
 * page instead of an answer counts as 401, because it always concerns the session.
 */
function sessionOver(auth: LoginAuth): (reply: UpstreamReply) => number | undefined {
  const { refreshOn, loginPage } = auth.type === 'login' ? auth : { refreshOn: [401], loginPage: null };
  return (reply) => {
    if (refreshOn.includes(reply.status)) return reply.status;
    return loginPage !== null && isLoginPage(reply, loginPage) ? 401 : undefined;
  };
}

/** Returns true for a login page. Only HTML counts, because data may contain the same text. */
function isLoginPage({ status, headers, body }: UpstreamReply, text: string): boolean {
  const isHtml = /^text\/html\b/i.test(headerOf(headers, 'content-type') ?? '');
  return status < 300 && isHtml && body.includes(text);
}

/**
 * Returns a refusal for the caller. Throws `upstream_auth` for a refusal that looks like a success: a login
 * page, or a redirect to it.
 */
function passthroughHeaders(refusal: UpstreamReply): UpstreamReply {
  if (refusal.status >= 400) return refusal;
  const detail = `the orchestrator answered with its login page (status ${refusal.status}): the adapter's session is over`;
  throw new Problem('upstream_auth', detail);
}
