import type { AdapterAuthSettings } from '../domain/adapter-settings.js';
import type { UpstreamReply } from '../domain/adapter.js';
import { fixedCredentials, isFixed, type LoginAuth } from './adapter-auth.js';
import { beforeDeadline } from './deadline.js';
import { oauth2Login } from './login/oauth2.js';
import type { Credentials, Session } from './login/session.js';
import { keepSession, type SessionKeeper } from './login/session-keeper.js';
import { passedOn, sessionOver } from './login/session-over.js';
import type { SessionDeps } from './login/single-login.js';
import { stepsLogin } from './login/steps.js';
import type { SendTo, Trip } from './send.js';
import type { Way } from './way.js';

/** Sends a call to one base URL with these credentials. */
export type SendWith = (trip: Trip, way: Way, credentials: Credentials) => Promise<UpstreamReply>;

/** Credentials for one request that is not sent through here. */
export interface LentCredentials extends Credentials {
  /**
   * To be told the status of the reply. When it says that the session is over, a new one is opened for the next request: true
   * when there is one.
   */
  heard(status: number): Promise<boolean> | undefined;
}

/** Sends with the adapter's credentials, and owns the sessions that this takes. */
export interface SignedIn {
  readonly send: SendTo;
  /** Gives the credentials for one base URL; logs in first where that must be. Throws what the login throws. */
  readonly lend: (way: Way) => LentCredentials | Promise<LentCredentials>;
  close(): void;
}

/** Sends with the adapter's credentials: those of the settings, or those of a session that a login opened. */
export function signedIn(auth: AdapterAuthSettings, deps: SessionDeps, next: SendWith): SignedIn {
  if (!isFixed(auth)) return withSessions(auth, deps, next);
  const credentials = fixedCredentials(auth);
  const lent = { ...credentials, heard: () => undefined };
  return {
    send: (trip, way) => next(trip, way, credentials),
    lend: () => lent,
    close: () => undefined,
  };
}

function withSessions(auth: LoginAuth, deps: SessionDeps, next: SendWith): SignedIn {
  const keepers = new Map<string, SessionKeeper>();
  const refusalStatus = sessionOver(auth);
  const refreshOn = auth.type === 'login' ? auth.refreshOn : [401];
  async function sendIn(session: Session, { trip, way }: { trip: Trip; way: Way }): Promise<UpstreamReply> {
    const reply = await next(trip, way, session);
    if (refusalStatus(reply) === undefined) session.wasAccepted = true;
    return reply;
  }
  function lent(keeper: SessionKeeper, session: Session): LentCredentials {
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
    async send(trip, way) {
      const keeper = keeperFor(keepers, { auth, way, deps });
      trip.deadline.phase = 'logging in';
      const current = keeper.current();
      const session = current instanceof Promise ? await beforeDeadline(current, trip.deadline) : current;
      const reply = await sendIn(session, { trip, way });
      const status = refusalStatus(reply);
      if (status === undefined) return reply;
      const renewed = await renewal(keeper.renew(session, status), trip);
      if (!renewed || !mayRepeat(trip.request.method, reply.status)) return passedOn(reply);
      const second = await sendIn(renewed, { trip, way });
      if (refusalStatus(second) === undefined) return second;
      keeper.renewedInVain();
      return passedOn(second);
    },
    lend(way) {
      const keeper = keeperFor(keepers, { auth, way, deps });
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

interface Place {
  readonly auth: LoginAuth;
  readonly way: Way;
  readonly deps: SessionDeps;
}

/** A session of a declared login belongs to the base URL where it was opened; a token of OAuth 2.0 goes to all of them. */
function keeperFor(keepers: Map<string, SessionKeeper>, { auth, way, deps }: Place): SessionKeeper {
  const key = auth.type === 'login' ? way.url : '';
  let keeper = keepers.get(key);
  if (!keeper) {
    const open = auth.type === 'login' ? stepsLogin(auth, way.base, deps.scheduler) : oauth2Login(auth);
    keeper = keepSession(open, deps);
    keepers.set(key, keeper);
  }
  return keeper;
}

/** The renewed session; `undefined` when there is none: then the refusal stands, and the log has the reason. */
async function renewal<T>(renewing: Promise<T> | undefined, { deadline }: Trip): Promise<T | undefined> {
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
