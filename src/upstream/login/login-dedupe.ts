import type { Scheduler, Clock } from '../../core/lib/clock.js';
import type { HttpReply, HttpRequest } from '../../core/http.js';
import type { Log } from '../../core/log.js';
import { loginFailed } from './refused.js';
import type { OpenedSession, OpenSession, Session } from './session.js';
import { Problem } from '../../core/problem.js';

/** Remembers that a login failed: none is tried for a while after it, because wrong passwords lock accounts. */
export interface LoginBackoff {
  /** What the latest login failed with, while no other is to be tried. */
  standing(): Error | undefined;
  /** Begins a while; gives its length in milliseconds. */
  failed(error: unknown): number;
  succeeded(): void;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** A login that was refused is held off twice as long each time; one that did not get through may succeed any moment. */
export function createHoldOff(clock: Clock): LoginBackoff {
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

/** What logins need besides their own settings. */
export interface SessionDeps {
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Sends a request of a login; ends when the signal fires. */
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<HttpReply>;
  /** Takes a value that must not be printed; the result says that it is no longer in use. */
  readonly onSecret: (value: string) => () => void;
  readonly onLogin: (succeeded: boolean) => void;
}

/** Logs in, one login at a time. */
export interface LoginDeduplicator {
  /** A new session, shared by all who ask while it is being opened. Throws what the login throws, also while it is held off. */
  logIn(): Promise<Session>;
  isRunning(): boolean;
  /** Ends a login that is running, and lets go of what the latest one gave. */
  close(): void;
}

/** Part of a session's life after which the next one is due. */
const DUE = 0.8;

/** What a login may give in all, in characters: each of its values is looked for in all texts that are let out. */
const LARGEST = 32_768;

/** Makes a login that nobody has asked for yet; `onOpened` is told of a session before anybody can ask for the next one. */
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

/** Masks a value once. Throws `upstream_auth` when there is too much to mask. */
function keepWithin(kept: Map<string, () => void>, value: string, onSecret: SessionDeps['onSecret']): void {
  if (kept.has(value)) return;
  const length = [...kept.keys(), value].reduce((sum, one) => sum + one.length, 0);
  if (length > LARGEST)
    throw loginFailed('the login', `gave more than ${LARGEST} characters of tokens and cookies`);
  kept.set(value, onSecret(value));
}

/** A session that is said to live shorter, in seconds, is used until it is refused: not every call may be a login. */
const SHORTEST_LIFE = 10;

function sessionOf({ lifeSeconds = Infinity, ...credentials }: OpenedSession, since: number): Session {
  const life = Math.max(SHORTEST_LIFE, lifeSeconds) * 1000;
  return { ...credentials, since, dueAt: since + life * DUE, overAt: since + life, wasAccepted: false };
}

function release(masks: Iterable<() => void>): void {
  for (const mask of masks) mask();
}
