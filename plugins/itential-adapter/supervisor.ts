import type { Connection, StartSlots } from '../../src/core/adapter.js';
import type { Log } from '../../src/core/log.js';
import { Problem } from '../../src/core/problem.js';
import { createBackoff } from '../../src/lib/backoff.js';
import { elapsedSince, type Scheduler } from '../../src/lib/clock.js';
import type { AdapterThread, ThreadListener } from './adapter-thread.js';
import { createConnectionRecord, REPORTED_OFFLINE } from './connection.js';

/** Delays before an ended worker is restarted. */
const RESTART_BACKOFF = { firstMs: 1_000, maxMs: 60_000 };
/** Minimum lifetime of a worker after which the delay starts over, in milliseconds. */
const STEADY_MS = 60_000;
/** Maximum time that a start waits for the adapter to come online, in milliseconds. */
const ONLINE_MS = 5_000;

/** Supervisor that keeps one worker running for one adapter. */
export interface Supervisor {
  /**
   * Starts the worker and waits a limited time for the adapter to come online. Throws `adapter_unavailable`
   * if the worker ends before the start succeeds. A worker that ends later is restarted, each time after a
   * longer delay.
   */
  readonly start: (signal: AbortSignal) => Promise<void>;
  /** Ends the worker; it is not restarted. */
  readonly stop: () => Promise<void>;
  /** Throws `adapter_unavailable` while no worker is ready. */
  readonly thread: () => AdapterThread;
  readonly connection: () => Connection;
}

interface SupervisorInput {
  readonly spawn: (listener: ThreadListener) => AdapterThread;
  /** A worker takes a slot until it is ready, because it loads code until then. */
  readonly starts: StartSlots;
  readonly log: Log;
  readonly scheduler: Scheduler;
}

/** Callbacks for the progress of one launch. */
interface LaunchListener {
  /** Receives the time when the worker took its slot, in milliseconds since 1970. */
  onReady(takenAt: number): void;
  onOnline(): void;
  onEnd(reason: string): void;
}

/** Creates a supervisor; starts nothing. */
export function createSupervisor(input: SupervisorInput): Supervisor {
  const { starts, scheduler } = input;
  const backoff = createBackoff(RESTART_BACKOFF);
  const stopping = new AbortController();
  /** True from the first successful start until `stop`: meanwhile, a worker that ends is restarted. */
  let isRestarting = false;
  let cancel = (): void => undefined;
  const launcher = createLauncher(input, stopping.signal, (livedMs) => {
    if (livedMs >= STEADY_MS) backoff.reset();
    const delayMs = backoff.next();
    if (isRestarting)
      cancel = scheduler.after(delayMs, () => void relaunch(launcher, stopping.signal, input));
  });
  /** Returns the time to come online: at most half of what remains of the start. Its time limit begins with the slot. */
  const onlineMs = (takenAt: number): number =>
    Math.min(ONLINE_MS, Math.max(0, starts.timeoutMs - elapsedSince(scheduler, takenAt)) / 2);
  return {
    async start(signal) {
      await launcher.terminate('it is started again');
      if (stopping.signal.aborted) throw notRunning('it was stopped');
      const online = untilOnline((listener) => launcher.launch(listener, signal), {
        after: (takenAt, work) => scheduler.after(onlineMs(takenAt), work),
        keep: () => {
          isRestarting = !stopping.signal.aborted;
        },
      });
      await withAbort(signal, () => launcher.terminate('it was not ready in time'), online);
    },
    async stop() {
      stopping.abort(notRunning('it was stopped'));
      isRestarting = false;
      cancel();
      await launcher.terminate('the adapter was stopped');
    },
    thread() {
      const thread = launcher.ready();
      if (thread) return thread;
      throw notRunning(launcher.connection().reason ?? 'its worker has not started');
    },
    connection: launcher.connection,
  };
}

/** Workers of one adapter, of which at most one runs. */
interface Launcher {
  /** Starts a worker. Waits for a slot first, and releases it when the worker is ready or has ended. */
  launch(listener: LaunchListener, signal: AbortSignal): Promise<AdapterThread>;
  /** Returns the worker if it is ready. */
  readonly ready: () => AdapterThread | undefined;
  readonly connection: () => Connection;
  /** Ends the worker, if there is one. */
  terminate(reason: string): Promise<void>;
}

function createLauncher(
  { spawn, starts, log, scheduler }: SupervisorInput,
  stopping: AbortSignal,
  onEnd: (livedMs: number) => void,
): Launcher {
  const { current, recordEvent, recordOutcome } = createConnectionRecord(scheduler, log);
  let running: AdapterThread | undefined;
  let ready: AdapterThread | undefined;
  const recordEnd = (reason: string): void => {
    // The adapter that replaces this one may have logged already that it is online.
    if (stopping.aborted) log.debug('community adapter stopped', { reason });
    else recordEvent({ state: 'OFFLINE', reason: `its worker ended: ${reason}` });
  };
  return {
    ready: () => ready,
    connection: current,
    terminate: async (reason) => running?.terminate(reason),
    async launch(listener, signal) {
      const releaseSlot = await takeLiveSlot(starts, signal, stopping);
      const takenAt = scheduler.now();
      let thread: AdapterThread | undefined;
      const threadListener: ThreadListener = {
        onReady() {
          ready = thread;
          releaseSlot();
          listener.onReady(takenAt);
        },
        onConnection(state) {
          recordEvent(state === 'ONLINE' ? { state } : { state, reason: REPORTED_OFFLINE });
          if (state === 'ONLINE') listener.onOnline();
        },
        onOutcome: recordOutcome,
        onLine: (level, text) => {
          log[level]('community adapter', { text });
        },
        onEnd(reason) {
          running = ready = undefined;
          releaseSlot();
          recordEnd(reason);
          listener.onEnd(reason);
          onEnd(scheduler.now() - takenAt);
        },
      };
      try {
        thread = running = spawn(threadListener);
        return thread;
      } catch (error) {
        threadListener.onEnd('it cannot be created');
        throw error;
      }
    },
  };
}

/** Takes a slot. Releases it and throws the reason if one of the signals has fired meanwhile. */
async function takeLiveSlot(
  starts: StartSlots,
  ...signals: readonly [AbortSignal, ...AbortSignal[]]
): Promise<() => void> {
  const releaseSlot = await starts.takeSlot(signals[0]);
  const ended = signals.find(({ aborted }) => aborted);
  if (!ended) return releaseSlot;
  releaseSlot();
  throw ended.reason;
}

/** Starts a worker again, within the time limit of a start: the host limits only the starts that it calls. */
async function relaunch(
  launcher: Launcher,
  stopping: AbortSignal,
  { starts, scheduler }: SupervisorInput,
): Promise<void> {
  let cancelLimit = (): void => undefined;
  const progress = { isLoading: true };
  const finish = (): void => {
    progress.isLoading = false;
    cancelLimit();
  };
  // A launch fails when the adapter is stopped, or after `onEnd`, which tries again.
  const thread = await launcher
    .launch({ onReady: finish, onOnline: () => undefined, onEnd: finish }, stopping)
    .catch(() => undefined);
  const reason = `it was not ready within ${starts.timeoutMs / 1000} s (timeouts.startMs)`;
  if (thread && progress.isLoading)
    cancelLimit = scheduler.after(starts.timeoutMs, () => void thread.terminate(reason));
}

function notRunning(reason: string): Problem {
  return new Problem('adapter_unavailable', `the adapter does not run: ${reason}`);
}

/** Waits for `work`, and cancels it if the signal fires first. */
async function withAbort(signal: AbortSignal, cancelWork: () => unknown, work: Promise<void>): Promise<void> {
  const leave = (): void => void cancelWork();
  signal.addEventListener('abort', leave, { once: true });
  try {
    await work;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

interface OnlineWait {
  /** Calls `work` after the time to come online. The returned function cancels this. */
  readonly after: (takenAt: number, work: () => void) => () => void;
  readonly keep: () => void;
}

/**
 * Resolves when the adapter is online, or when its worker is ready and the time to come online has passed.
 * Calls `keep` then.
 */
function untilOnline(
  launch: (listener: LaunchListener) => Promise<unknown>,
  { after, keep }: OnlineWait,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => undefined;
    const succeed = (): void => {
      cancel();
      keep();
      resolve();
    };
    launch({
      onReady(takenAt) {
        cancel = after(takenAt, succeed);
      },
      onOnline: succeed,
      onEnd(reason) {
        cancel();
        reject(new Problem('adapter_unavailable', `its worker ended: ${reason}`));
      },
    }).catch(reject);
  });
}
