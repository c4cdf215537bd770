import { execFile } from 'node:child_process';
import { errorMessage } from '../lib/error-message.js';
import { createSerialQueue } from '../lib/serial-queue.js';

/** Program of systemd that sends a notification. Node.js has no datagram sockets in the file system, which systemd receives on. */
const NOTIFY_PROGRAM = 'systemd-notify';

/** Time limit of one notification, in milliseconds. */
const NOTIFY_TIMEOUT_MS = 5_000;

/** Sends the state of the server to the service manager (sd_notify(3)). Never throws. */
export interface SystemdNotifier {
  /** Reports that the server serves, and begins the notifications of the watchdog. */
  readonly ready: (status: string) => void;
  /** Reports that the server reads its configuration again. `ready` ends this state. */
  readonly reloading: () => void;
  /** Reports that the server stops. Later reports of other states are ignored. */
  readonly stopping: () => void;
  /** Resolves when all notifications are sent. */
  readonly close: () => Promise<void>;
}

interface SystemdNotifierInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** Receives the reason if notifications cannot be sent, once. */
  readonly onFailure: (reason: string) => void;
}

/**
 * Connects to the service manager that `NOTIFY_SOCKET` names; without it, all functions do nothing. While the server serves, a
 * timer of the event loop notifies the watchdog of systemd twice in `WATCHDOG_USEC`.
 */
export function createSystemdNotifier({ env, pid, onFailure }: SystemdNotifierInput): SystemdNotifier {
  const { NOTIFY_SOCKET, PATH } = env;
  const watchdogMs = watchdogIntervalMs(env, pid);
  const runInTurn = createSerialQueue();
  const { signal } = new AbortController();
  let [hasFailed, sent]: [boolean, Promise<void>] = [false, Promise.resolve()];
  let [isStopping, pings]: [boolean, NodeJS.Timeout | undefined] = [false, undefined];
  const notify = (...assignments: readonly string[]): void => {
    if (NOTIFY_SOCKET === undefined || NOTIFY_SOCKET === '') return;
    sent = runInTurn({ signal }, () =>
      send(assignments, { NOTIFY_SOCKET, ...(PATH !== undefined && { PATH }) }),
    ).catch((error: unknown) => {
      if (!hasFailed) onFailure(errorMessage(error));
      hasFailed = true;
    });
  };
  return {
    ready(status) {
      // A reload can end after the server began to stop.
      if (isStopping) return;
      notify('READY=1', `STATUS=${status}`);
      if (watchdogMs === undefined) return;
      pings ??= setInterval(() => {
        notify('WATCHDOG=1');
      }, watchdogMs / 2).unref();
    },
    reloading() {
      if (isStopping) return;
      // systemd compares this time with that of its request to reload.
      notify('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
    },
    stopping() {
      isStopping = true;
      clearInterval(pings);
      notify('STOPPING=1');
    },
    async close() {
      clearInterval(pings);
      await sent;
    },
  };
}

/** Returns the interval in which systemd expects a notification; undefined if it expects none from this process. */
export function watchdogIntervalMs(
  { WATCHDOG_USEC, WATCHDOG_PID }: SystemdNotifierInput['env'],
  pid: number,
): number | undefined {
  const isForOther = WATCHDOG_PID !== undefined && WATCHDOG_PID !== String(pid);
  return isForOther || !/^[1-9]\d*$/.test(WATCHDOG_USEC ?? '') ? undefined : Number(WATCHDOG_USEC) / 1000;
}

function send(assignments: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(NOTIFY_PROGRAM, assignments, { env, timeout: NOTIFY_TIMEOUT_MS }, (error) => {
      if (error) reject(new Error(`${NOTIFY_PROGRAM} failed (${String(error.code ?? error.signal)})`));
      else resolve();
    });
  });
}
