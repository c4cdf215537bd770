import { createRenewalPace } from './renewal-limit.js';
import type { OpenSession, Session } from './session.js';
import { createSingleLogin, type SessionDeps } from './login-dedupe.js';

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
