import type { Scheduler, Clock } from '../../core/lib/clock.js';
import type { HttpReply, HttpRequest } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import { loginFailed } from './refused.js';
import type { OpenedSession, OpenSession, Session } from './session.js';
import { Problem } from '../../core/problem.js';

/** Delays logins after a failure, because repeated wrong passwords lock accounts. */
interface LoginBackoff {
  /** Returns the error of the latest login while the delay lasts. */
  standing(): Error | undefined;
  /** Starts a delay and returns its length in milliseconds. */
  failed(error: unknown): number;
  succeeded(): void;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * Creates the backoff. The delay doubles after each refused login; after other failures it is short, because
 * a login may succeed at any moment.
 */
function createHoldOff(clock: Clock): LoginBackoff {
  let failure: { readonly error: Error; readonly until: number } | undefined;
  let refusals = 0;
  return {
    standing: () => (failure && clock.now() < failure.until ? failure.error : undefined),
    failed(cause) {
      const isRefused = cause instanceof Problem && cause.code === 'upstream_auth';
      refusals = isRefused ? refusals + 1 : 0;
      const ms = isRefused ? Math.min(LONGEST_MS, FIRST_MS * 2 ** (refusals - 1)) : FIRST_MS;
      const error = cause instanceof Error ? cause : new Error('the login failed', { cause });
      failure = { error, until: clock.now() + ms };
      return ms;
    },
    succeeded() {
      failure = undefined;
      refusals = 0;
    },
  };
}

/** Dependencies of logins. */
export interface SessionDeps {
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Sends a request of a login; the signal cancels it. */
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>;
  /** Registers a secret value; the returned function releases it. */
  readonly onSecret: (value: string) => () => void;
  readonly onLogin: (succeeded: boolean) => void;
}

/** Performs at most one login at a time. */
interface LoginDeduplicator {
  /**
   * Opens a session, shared by all callers while it is being opened. Throws the error of the login, also
   * during the delay after a failure.
   */
  logIn(): Promise<Session>;
  isRunning(): boolean;
  /** Cancels a running login and releases the secrets of the latest one. */
  close(): void;
}

/** Fraction of a session's lifetime after which it is renewed. */
const DUE = 0.8;

/** Maximum total length of a login's secrets, in characters: each value is searched for in all output. */
const LARGEST = 32_768;

/** Creates the login without starting it; `onOpened` receives a session before the next login can start. */
export function createSingleLogin(
  open: OpenSession,
  deps: SessionDeps,
  onOpened: (session: Session) => void,
): LoginDeduplicator {
  const { scheduler, log } = deps;
  const holdOff = createHoldOff(scheduler);
  const closing = new AbortController();
  let running: Promise<Session> | undefined;
  let masks: readonly (() => void)[] = [];

  async function attempt(): Promise<Session> {
    const added = new Map<string, () => void>();
    try {
      const opened = await open({
        send: (request) => deps.send(request, closing.signal),
        keepSecret: (value) => {
          keepWithin(added, value, deps.onSecret);
        },
      });
      closing.signal.throwIfAborted();
      holdOff.succeeded();
      release(masks);
      masks = [...added.values()];
      deps.onLogin(true);
      log.debug('logged in to the orchestrator', { lifeSeconds: opened.lifeSeconds });
      const session = sessionOf(opened, scheduler.now());
      onOpened(session);
      return session;
    } catch (error) {
      release(added.values());
      deps.onLogin(false);
      const nextInMs = holdOff.failed(error);
      if (!closing.signal.aborted) log.warn('login to the orchestrator failed', { error, nextInMs });
      throw error;
    } finally {
      running = undefined;
    }
  }

  return {
    logIn() {
      if (running) return running;
      const failure = holdOff.standing();
      if (failure) return Promise.reject(failure);
      running = attempt();
      return running;
    },
    isRunning: () => running !== undefined,
    close() {
      closing.abort();
      release(masks);
      masks = [];
    },
  };
}

/** Masks a value once. Throws `upstream_auth` when the limit is exceeded. */
function keepWithin(kept: Map<string, () => void>, value: string, onSecret: SessionDeps['onSecret']): void {
  if (kept.has(value)) return;
  const length = [...kept.keys(), value].reduce((sum, one) => sum + one.length, 0);
  if (length > LARGEST)
    throw loginFailed('the login', `gave more than ${LARGEST} characters of tokens and cookies`);
  kept.set(value, onSecret(value));
}

/**
 * Minimum lifetime in seconds; a session with a shorter lifetime is used until it is refused, because not
 * every call may be a login.
 */
const SHORTEST_LIFE = 10;

function sessionOf({ lifeSeconds = Infinity, ...credentials }: OpenedSession, since: number): Session {
  const life = Math.max(SHORTEST_LIFE, lifeSeconds) * 1000;
  return { ...credentials, since, dueAt: since + life * DUE, overAt: since + life, wasAccepted: false };
}

function release(masks: Iterable<() => void>): void {
  for (const mask of masks) mask();
}
