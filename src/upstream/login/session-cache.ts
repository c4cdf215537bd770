import type { OpenSession, Session } from './session.js';
import { createSingleLogin, type SessionDeps } from './login-dedupe.js';
import type { Clock } from '../../core/lib/clock.js';

/** Keeps renewals of refused sessions apart: a login that does not help must not become a storm of logins. */
export interface RenewalRateLimit {
  /** True when a session that was refused with this status may be replaced now. */
  permits(refused: Pick<Session, 'since' | 'wasAccepted'>, status: number): boolean;
  /** Says that a renewed session was refused like the one before it. */
  wasInVain(): void;
}

/** For a session that has worked before, and was refused with 401. */
const USUAL_MS = 1_000;
/** For one that never worked, for statuses that may concern one call alone, and after a renewal in vain. */
const PATIENT_MS = 30_000;

/** Makes a pace that permits a renewal as soon as the session has the age for it. */
export function createRenewalPace(clock: Clock): RenewalRateLimit {
  let notBefore = 0;
  return {
    permits({ since, wasAccepted }, status) {
      const age = wasAccepted && status === 401 ? USUAL_MS : PATIENT_MS;
      return clock.now() >= notBefore && clock.now() - since >= age;
    },
    wasInVain() {
      notBefore = clock.now() + PATIENT_MS;
    },
  };
}

/** Keeps one session for all calls, and opens the next one in time. */
export interface SessionCache {
  /** The session to use now. Throws what the login throws; shares one login among all who wait for it. */
  current(): Session | Promise<Session>;
  /** A session to use instead of one that was refused; `undefined` when another login now would do no good. */
  renew(refused: Session, status: number): Promise<Session> | undefined;
  /** Says that a renewed session was refused like the one before it. */
  renewedInVain(): void;
  close(): void;
}

/** Makes a keeper that logs in for the first call that needs it, and has no timer: without calls there are no logins. */
export function createSessionCache(open: OpenSession, deps: SessionDeps): SessionCache {
  const { scheduler } = deps;
  const pace = createRenewalPace(scheduler);
  let held: Session | undefined;
  const login = createSingleLogin(open, deps, (session) => {
    held = session;
  });

  return {
    current() {
      const now = scheduler.now();
      if (!held || now >= held.overAt) return login.logIn();
      // The session serves on meanwhile; if this login fails, a later one is tried.
      if (now >= held.dueAt) login.logIn().catch(() => undefined);
      return held;
    },
    renew(refused, status) {
      if (held && held !== refused) return Promise.resolve(held);
      if (!login.isRunning() && !pace.permits(refused, status)) return undefined;
      // Other statuses may concern one call alone.
      if (status === 401) held = undefined;
      return login.logIn();
    },
    renewedInVain: () => {
      pace.wasInVain();
    },
    close: () => {
      login.close();
    },
  };
}
