import type { HttpReply, HttpRequest } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import { Problem } from '../../core/problem.js';
import { backoffMs } from '../../lib/backoff.js';
import type { Clock, Scheduler } from '../../lib/clock.js';
import { loginFailure, type OpenedSession, type OpenSession, type Session } from './session.js';

/** Session shared by all calls and renewed before it expires. */
export interface SessionCache {
  /** Returns the current session. Throws the error of the login; all callers share one login. */
  current(): Session | Promise<Session>;
  /** Returns a session that replaces a refused one; `undefined` when another login is not permitted now. */
  renew(refused: Session, status: number): Promise<Session> | undefined;
  /** Reports that a renewed session was refused like the session before it. */
  reportUselessRenewal(): void;
  close(): void;
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

/** Creates a cache that logs in for the first call. It uses no timer: without calls there are no logins. */
export function createSessionCache(open: OpenSession, deps: SessionDeps): SessionCache {
  const { scheduler } = deps;
  const rateLimit = createRenewalRateLimit(scheduler);
  let current: Session | undefined;
  const login = createLoginDeduplicator(open, deps, (session) => {
    current = session;
  });

  return {
    current() {
      const now = scheduler.now();
      if (!current || now >= current.expiresAt) return login.logIn();
      // Calls use the session meanwhile; if this login fails, a later call tries again.
      if (now >= current.renewAt) login.logIn().catch(() => undefined);
      return current;
    },
    renew(refused, status) {
      if (current && current !== refused) return Promise.resolve(current);
      if (!login.isRunning() && !rateLimit.permits(refused, status)) return undefined;
      // Other statuses may concern a single call.
      if (status === 401) current = undefined;
      return login.logIn();
    },
    reportUselessRenewal: () => {
      rateLimit.reportUseless();
    },
    close: () => {
      login.close();
    },
  };
}

/**
 * Rate limit for the renewal of refused sessions: a login that does not help must not cause a flood of
 * logins.
 */
interface RenewalRateLimit {
  /** Returns true when a session that was refused with this status may be renewed now. */
  permits(refused: Session, status: number): boolean;
  /** Reports that a renewed session was refused like the session before it. */
  reportUseless(): void;
}

/** Minimum age of a session that worked before and was refused with 401. */
const MIN_PROVEN_AGE_MS = 1_000;

/**
 * Minimum age of a session that never worked, or that was refused with a status that may concern a single
 * call. Also the delay after a useless renewal.
 */
const MIN_UNPROVEN_AGE_MS = 30_000;

/** Creates the rate limit, which permits a renewal once the session has the required age. */
function createRenewalRateLimit(clock: Clock): RenewalRateLimit {
  let notBefore = 0;
  return {
    permits({ since, wasAccepted }, status) {
      const age = wasAccepted && status === 401 ? MIN_PROVEN_AGE_MS : MIN_UNPROVEN_AGE_MS;
      return clock.now() >= notBefore && clock.now() - since >= age;
    },
    reportUseless() {
      notBefore = clock.now() + MIN_UNPROVEN_AGE_MS;
    },
  };
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
const RENEWAL_FRACTION = 0.8;

/** Maximum total length of a login's secrets, in characters: each value is searched for in all output. */
const MAX_SECRET_CHARACTERS = 32_768;

/** Creates the login without starting it; `onOpened` receives a session before the next login can start. */
function createLoginDeduplicator(
  open: OpenSession,
  deps: SessionDeps,
  onOpened: (session: Session) => void,
): LoginDeduplicator {
  const { scheduler, log } = deps;
  const backoff = createLoginBackoff(scheduler);
  const closing = new AbortController();
  let running: Promise<Session> | undefined;
  let masks: readonly (() => void)[] = [];

  async function attempt(): Promise<Session> {
    const added = new Map<string, () => void>();
    try {
      const opened = await open({
        send: (request) => deps.send(request, closing.signal),
        maskSecret: (value) => {
          maskWithinLimit(added, value, deps.onSecret);
        },
      });
      closing.signal.throwIfAborted();
      backoff.succeeded();
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
      const nextInMs = backoff.failed(error);
      if (!closing.signal.aborted) log.warn('login to the orchestrator failed', { error, nextInMs });
      throw error;
    } finally {
      running = undefined;
    }
  }

  return {
    logIn() {
      if (running) return running;
      const failure = backoff.activeFailure();
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
function maskWithinLimit(
  masked: Map<string, () => void>,
  value: string,
  onSecret: SessionDeps['onSecret'],
): void {
  if (masked.has(value)) return;
  const total = [...masked.keys(), value].reduce((sum, { length }) => sum + length, 0);
  if (total > MAX_SECRET_CHARACTERS)
    throw loginFailure(
      'the login',
      `returned more than ${MAX_SECRET_CHARACTERS} characters of tokens and cookies`,
    );
  masked.set(value, onSecret(value));
}

function release(masks: Iterable<() => void>): void {
  for (const mask of masks) mask();
}

/**
 * Minimum lifetime in seconds; a session with a shorter lifetime is used until it is refused, because
 * otherwise every call could cause a login.
 */
const MIN_LIFE_SECONDS = 10;

function sessionOf({ lifeSeconds = Infinity, ...credentials }: OpenedSession, since: number): Session {
  const life = Math.max(MIN_LIFE_SECONDS, lifeSeconds) * 1000;
  return {
    ...credentials,
    since,
    renewAt: since + life * RENEWAL_FRACTION,
    expiresAt: since + life,
    wasAccepted: false,
  };
}

/** Delays logins after a failure, because repeated wrong passwords lock accounts. */
interface LoginBackoff {
  /** Returns the error of the latest login while the delay lasts. */
  activeFailure(): Error | undefined;
  /** Starts a delay and returns its length in milliseconds. */
  failed(error: unknown): number;
  succeeded(): void;
}

const LOGIN_BACKOFF = { firstMs: 1_000, maxMs: 60_000 };

/**
 * Creates the backoff. The delay doubles after each refused login; after other failures it is short, because
 * a login may succeed at any moment.
 */
function createLoginBackoff(clock: Clock): LoginBackoff {
  let failure: { readonly error: Error; readonly until: number } | undefined;
  let refusals = 0;
  return {
    activeFailure: () => (failure && clock.now() < failure.until ? failure.error : undefined),
    failed(cause) {
      const isRefused = cause instanceof Problem && cause.code === 'upstream_auth';
      refusals = isRefused ? refusals + 1 : 0;
      const ms = backoffMs(Math.max(1, refusals), LOGIN_BACKOFF);
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
