import type { OpenSession, Session } from './session.js';
import { createSingleLogin, type SessionDeps } from './login-dedupe.js';
import type { Clock } from '../../core/lib/clock.js';

/**
 * Rate limit for the renewal of refused sessions: a login that does not help must not cause a flood of
 * logins.
 */
interface RenewalRateLimit {
  /** Returns true when a session that was refused with this status may be renewed now. */
  permits(refused: Pick<Session, 'since' | 'wasAccepted'>, status: number): boolean;
  /** Reports that a renewed session was refused like the session before it. */
  wasInVain(): void;
}

/** Minimum age of a session that worked before and was refused with 401. */
const USUAL_MS = 1_000;
/**
 * Minimum age of a session that never worked, or that was refused with a status that may concern a single
 * call. Also the delay after a useless renewal.
 */
const PATIENT_MS = 30_000;

/** Creates the rate limit, which permits a renewal once the session has the required age. */
function createRenewalPace(clock: Clock): RenewalRateLimit {
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

/** Session shared by all calls and renewed before it expires. */
export interface SessionCache {
  /** Returns the current session. Throws the error of the login; all callers share one login. */
  current(): Session | Promise<Session>;
  /** Returns a session that replaces a refused one; `undefined` when another login is not permitted now. */
  renew(refused: Session, status: number): Promise<Session> | undefined;
  /** Reports that a renewed session was refused like the session before it. */
  renewedInVain(): void;
  close(): void;
}

/** Creates a cache that logs in for the first call. Uses no timer: without calls there are no logins. */
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
      // Calls use the session meanwhile; if this login fails, a later call tries again.
      if (now >= held.dueAt) login.logIn().catch(() => undefined);
      return held;
    },
    renew(refused, status) {
      if (held && held !== refused) return Promise.resolve(held);
      if (!login.isRunning() && !pace.permits(refused, status)) return undefined;
      // Other statuses may concern a single call.
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
