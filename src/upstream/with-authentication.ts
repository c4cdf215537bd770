import type { AdapterAuthSettings } from '../core/adapter-settings.js';
import { headerOf, type UpstreamReply } from '../core/adapter.js';
import { isSafeMethod } from '../core/http.js';
import { Problem } from '../core/problem.js';
import { fixedCredentials, isFixed, type LoginAuth } from './adapter-auth.js';
import { beforeDeadline } from './deadline.js';
import type { Endpoint } from './endpoint.js';
import { oauth2Login } from './login/oauth2.js';
import { createSessionCache, type SessionCache, type SessionDeps } from './login/session-cache.js';
import type { Credentials, Session } from './login/session.js';
import { stepsLogin } from './login/steps.js';
import type { SendTo, UpstreamCall } from './send.js';
import { settled, type Settlement, settleWith } from './settlement.js';

/** Sends a call to one base URL with the given credentials. */
export type SendWith = (
  call: UpstreamCall,
  target: AuthenticatedTarget,
  settlement: Settlement<UpstreamReply>,
) => void;

/** A base URL, and the credentials for it. */
interface AuthenticatedTarget {
  readonly endpoint: Endpoint;
  readonly credentials: Credentials;
}

/** Credentials for a request that the caller sends separately. */
export interface CredentialLease extends Credentials {
  /**
   * Reports the status of the reply. If the status means that the session has ended, opens a new session for
   * the next request and resolves to true on success.
   */
  reportStatus(status: number): Promise<boolean> | undefined;
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
  const lease = { ...credentials, reportStatus: () => undefined };
  return {
    send(call, endpoint, settlement) {
      next(call, { endpoint, credentials }, settlement);
    },
    acquireCredentials: () => lease,
    close: () => undefined,
  };
}

function withSessions(auth: LoginAuth, deps: SessionDeps, next: SendWith): AuthenticatedSender {
  const caches = new Map<string, SessionCache>();
  const refusalStatus = createSessionEndCheck(auth);
  const refreshOn = auth.type === 'login' ? auth.refreshOn : [401];
  async function sendIn(
    session: Session,
    { call, endpoint }: { call: UpstreamCall; endpoint: Endpoint },
  ): Promise<UpstreamReply> {
    const reply = await settled<UpstreamReply>((settlement) => {
      next(call, { endpoint, credentials: session }, settlement);
    });
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
  async function send(call: UpstreamCall, endpoint: Endpoint): Promise<UpstreamReply> {
    const cache = sessionCacheFor(caches, { auth, endpoint, deps });
    call.deadline.phase = 'logging in';
    const current = cache.current();
    const session = current instanceof Promise ? await beforeDeadline(current, call.deadline) : current;
    const reply = await sendIn(session, { call, endpoint });
    const status = refusalStatus(reply);
    if (status === undefined) return reply;
    const renewed = await renewedSession(cache.renew(session, status), call);
    if (!renewed || !mayRepeat(call.request.method, reply.status)) return asRefusal(reply);
    const second = await sendIn(renewed, { call, endpoint });
    if (refusalStatus(second) === undefined) return second;
    cache.reportUselessRenewal();
    return asRefusal(second);
  }
  return {
    send(call, endpoint, settlement) {
      settleWith(send(call, endpoint), settlement);
    },
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
