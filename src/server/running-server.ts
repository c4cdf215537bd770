import type { Fault } from '../core/fault.js';
import type { Log } from '../core/log.js';
import type { CloserStack } from '../lib/closer-stack.js';
import type { Shutdown, StopRequest } from './shutdown.js';
import type { ConfigReloader } from './state/config-reloader.js';

/** A running server. */
export interface Server {
  readonly url: string;
  /** Reloads the configuration from disk. If it is invalid, returns the faults and keeps the running configuration. */
  reload(): Promise<readonly Fault[]>;
  /** Replaces the workers one by one without a lost call; logs a warning if there are none. */
  restart(): Promise<void>;
  /** Logs an error that reached the process uncaught, for example from a plugin. */
  logUncaught(error: unknown): void;
  /** Accepts calls for the lame duck time, while `/readyz` reports the stop, and then closes the server. */
  stop(request: StopRequest): Promise<void>;
  /** Waits for running calls, then closes everything. */
  close(): Promise<void>;
}

interface RunningParts {
  readonly listener: { readonly url: string; readonly endKeepAlive: () => void };
  readonly reloader: ConfigReloader;
  readonly shutdown: Shutdown;
  /** Closes everything that the server has opened. */
  readonly closers: CloserStack;
  readonly log: Log;
}

/** Creates the handle of a server whose parts run. */
export function createRunningServer({ listener, reloader, shutdown, closers, log }: RunningParts): Server {
  return {
    url: listener.url,
    reload: reloader.reload,
    restart() {
      log.warn('no workers to restart: server.workers is 1');
      return Promise.resolve();
    },
    logUncaught: (error) => {
      log.error('uncaught error; continuing', { error });
    },
    async stop(request) {
      await shutdown.begin(request, listener.endKeepAlive);
      await closers.close();
    },
    close: () => closers.close(),
  };
}
