import { headerOf, type UpstreamReply } from '../core/adapter.js';
import { isSafeMethod } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { AdapterAuthSettings } from '../settings/adapter.js';
import { fixedCredentials, isFixed, type LoginAuth } from './adapter-auth.js';
import { beforeDeadline } from './deadline.js';
import type { Endpoint } from './endpoint.js';
import { oauth2Login } from './login/oauth2.js';
import { createSessionCache, type SessionCache, type SessionDeps } from './login/session-cache.js';
import type { Credentials, Session } from './login/session.js';
import { stepsLogin } from './login/steps.js';
import type { Layer, Send, UpstreamCall } from './send.js';

/** Credentials for a request that the caller sends separately. */
export interface CredentialLease extends Credentials {
  /**
   * Reports the status of the reply. If the status means that the session has ended, opens a new session for
   * the next request and resolves to true on success.
   */
  reportStatus(status: number): Promise<boolean> | undefined;
}

/** The adapter's credentials for its calls, and the sessions of a login. */
export interface Authentication {
  /** Adds the credentials to a call, and repeats it in a new session if its session has ended. */
  readonly layer: Layer;
  /** Returns the credentials for one base URL; logs in first if necessary. Throws the error of the login. */
  readonly acquireCredentials: (endpoint: Endpoint) => CredentialLease | Promise<CredentialLease>;
  close(): void;
}

/** Creates the authentication of an adapter, either from the settings or from a login session. */
export function createAuthentication(auth: AdapterAuthSettings, deps: SessionDeps): Authentication {
  if (!isFixed(auth)) return authenticationBySession(auth, deps);
  const credentials = fixedCredentials(auth);
  const lease = { ...credentials, reportStatus: () => undefined };
  return {
    layer(call, next) {
      call.credentials = credentials;
      return next(call);
    },
    acquireCredentials: () => lease,
    close: () => undefined,
  };
}

function authenticationBySession(auth: LoginAuth, deps: SessionDeps): Authentication {
  const caches = new Map<string, SessionCache>();
  const refusalStatus = createSessionEndCheck(auth);
  const refreshOn = auth.type === 'login' ? auth.refreshOn : [401];
  async function sendIn(session: Session, call: UpstreamCall, next: Send): Promise<UpstreamReply> {
    call.credentials = session;
    const reply = await next(call);
    if (refusalStatus(reply) === undefined) session.wasAccepted = true;
    return reply;
  }
  function lease(cache: SessionCache, session: Session): CredentialLease {
    return {
      ...session,
      reportStatus(status) {
        if (refreshOn.includes(status))
          return cache.renew(session, status)?.then(
            () => true,
            () => false,
          );
        session.wasAccepted = true;
        return undefined;
      },
    };
  }
  async function send(call: UpstreamCall, next: Send): Promise<UpstreamReply> {
    const cache = sessionCacheFor(caches, { auth, endpoint: call.endpoint, deps });
    call.deadline.phase = 'logging in';
    const current = cache.current();
    const session = current instanceof Promise ? await openedSession(current, call) : current;
    const reply = await sendIn(session, call, next);
    const status = refusalStatus(reply);
    if (status === undefined) return reply;
    const renewed = await renewedSession(cache.renew(session, status), call);
    if (!renewed || !mayRepeat(call.request.method, reply.status)) return asRefusal(reply);
    const second = await sendIn(renewed, call, next);
    if (refusalStatus(second) === undefined) return second;
    cache.reportUselessRenewal();
    return asRefusal(second);
  }
  return {
    layer: send,
    acquireCredentials(endpoint) {
      const cache = sessionCacheFor(caches, { auth, endpoint, deps });
      const current = cache.current();
      return current instanceof Promise
        ? current.then((session) => lease(cache, session))
        : lease(cache, current);
    },
    close() {
      for (const cache of caches.values()) cache.close();
    },
  };
}

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
  caches: Map<string, SessionCache>,
  { auth, endpoint, deps }: LoginTarget,
): SessionCache {
  const key = auth.type === 'login' ? endpoint.url : '';
  let cache = caches.get(key);
  if (!cache) {
    const open = auth.type === 'login' ? stepsLogin(auth, endpoint.base, deps.scheduler) : oauth2Login(auth);
    cache = createSessionCache(open, deps);
    caches.set(key, cache);
  }
  return cache;
}

/** Waits for a login. After a wait that fails, the call still names the login. */
async function openedSession(login: Promise<Session>, call: UpstreamCall): Promise<Session> {
  call.login = login;
  const session = await beforeDeadline(login, call.deadline);
  call.login = undefined;
  return session;
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

/**
 * Returns true if a refused request may be sent again: a 401 proves that it had no effect (RFC 9110 section
 * 15.5.2).
 */
export function mayRepeat(method: string, status: number): boolean {
  return status === 401 || isSafeMethod(method);
}

/**
 * Creates a function that returns the status with which a reply ends the session, or `undefined`. A login
 * page instead of an answer counts as 401, because it always concerns the session.
 */
function createSessionEndCheck(auth: LoginAuth): (reply: UpstreamReply) => number | undefined {
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
function asRefusal(refusal: UpstreamReply): UpstreamReply {
  if (refusal.status >= 400) return refusal;
  const detail = `the orchestrator answered with its login page (status ${refusal.status}): the adapter's session has ended`;
  throw new Problem('upstream_auth', detail);
}
