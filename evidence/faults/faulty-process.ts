import { script, watchProcess, type WatchedProcess } from '../watched-process.js';
import { type Trial, withFault } from './trial.js';

/** Time limit in milliseconds; only a hanging process reaches it. */
const TIMEOUT_MS = 60_000;
const DEAF = new URL('deaf-files.js', import.meta.url);

interface FaultyScript {
  readonly url: URL;
  readonly args: readonly string[];
  /** Files to which faults on paths apply. */
  readonly paths: readonly string[];
  /** File with the record of system calls. */
  readonly trace: string;
}

/**
 * Starts a script under a fault. All asynchronous file calls share one thread, so that their order is fixed.
 */
export function startFaulty({ url, args, ...aim }: FaultyScript, trial: Trial): WatchedProcess {
  const env = { UV_THREADPOOL_SIZE: '1', ...(trial.isDeaf && { NODE_OPTIONS: `--import=${DEAF.href}` }) };
  return watchProcess([...withFault(trial, aim), ...script(url, ...args)], { env, patienceMs: TIMEOUT_MS });
}
