import type { AdapterAuthSettings } from '../core/adapter-settings.js';
import type { UpstreamReply } from '../core/adapter.js';
import { fixedCredentials, isFixed, type LoginAuth } from './adapter-auth.js';
import { beforeDeadline } from './deadline.js';
import { oauth2Login } from './login/oauth2.js';
import type { Credentials, Session } from './login/session.js';
import { createSessionCache, type SessionCache } from './login/session-cache.js';
import { passthroughHeaders, sessionOver } from './login/session-expired.js';
import type { SessionDeps } from './login/login-dedupe.js';
import { stepsLogin } from './login/steps.js';
import type { SendTo, UpstreamCall } from './send.js';
import type { Endpoint } from './endpoint.js';

/** Sends a call to one base URL with these credentials. */
export type SendWith = (
  call: UpstreamCall,
  endpoint: Endpoint,
  credentials: Credentials,
) => Promise<UpstreamReply>;

/** Credentials for one request that is not sent through here. */
export interface CredentialLease extends Credentials {
  /**
   * To be told the status of the reply. When it says that the session is over, a new one is opened for the next request: true
   * when there is one.
   */
  heard(status: number): Promise<boolean> | undefined;
}

/** Sends with the adapter's credentials, and owns the sessions that this takes. */
export interface AuthenticatedSender {
  readonly send: SendTo;
  /** Gives the credentials for one base URL; logs in first where that must be. Throws what the login throws. */
  readonly acquireCredentials: (endpoint: Endpoint) => CredentialLease | Promise<CredentialLease>;
  close(): void;
}

/** Sends with the adapter's credentials: those of the settings, or those of a session that a login opened. */
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

/** A session of a declared login belongs to the base URL where it was opened; a token of OAuth 2.0 goes to all of them. */
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

/** The renewed session; `undefined` when there is none: then the refusal stands, and the log has the reason. */
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

/** True where a refused request may be sent again: a 401 proves that it was not carried out (RFC 9110 section 15.5.2). */
export function mayRepeat(method: string, status: number): boolean {
  return status === 401 || SAFE.has(method);
}
