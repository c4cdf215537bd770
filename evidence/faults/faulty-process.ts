import { script, watchProcess, type WatchedProcess } from '../watched-process.js';
import { type Trial, withFault } from './trial.js';

/** Only what hangs takes so long, in milliseconds. */
const TIMEOUT_MS = 60_000;
const DEAF = new URL('deaf-files.js', import.meta.url);

interface FaultyScript {
  readonly url: URL;
  readonly args: readonly string[];
  /** Files that faults on paths are meant for. */
  readonly paths: readonly string[];
  /** File that tells what happened. */
  readonly trace: string;
}

/** Starts a script that meets a fault. All asynchronous calls for files share one thread, so that they have an order. */
export function startFaulty({ url, args, ...aim }: FaultyScript, trial: Trial): WatchedProcess {
  const env = { UV_THREADPOOL_SIZE: '1', ...(trial.isDeaf && { NODE_OPTIONS: `--import=${DEAF.href}` }) };
  return watchProcess([...withFault(trial, aim), ...script(url, ...args)], { env, patienceMs: TIMEOUT_MS });
}
