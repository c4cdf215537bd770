import { Worker } from 'node:worker_threads';
import { type Failure, processorMs } from './executor.js';
import { Progress } from './progress.js';
import type { Phase, PhaseEnd } from './worker.js';

export interface PhaseResult extends PhaseEnd {
  readonly executions: number;
}

/** CPU time in milliseconds after which the thread of an input is stopped: more than any slow input needs. */
const HANG_MS = 5_000;
/** Interval between two checks of the thread, in milliseconds. */
const POLL_MS = 100;

/**
 * Runs a phase in a separate thread; a parser that hangs or crashes the thread is a failure with its input.
 */
export function runPhase(phase: Phase): Promise<PhaseResult> {
  const progress = new Progress();
  const worker = new Worker(new URL('worker.js', import.meta.url), {
    workerData: { ...phase, memory: progress.memory },
  });
  return new Promise((resolve) => {
    const end = (found: PhaseEnd): void => {
      clearInterval(watch);
      resolve({ ...found, executions: progress.begun });
      void worker.terminate();
    };
    const fail = (kind: Failure['kind'], message: string): void => {
      end({ corpus: [], slowestMs: 0, failure: { kind, input: progress.input(), message } });
    };
    const watch = setInterval(
      whenStuck(progress, () => {
        fail('hang', `did not end within ${HANG_MS} ms of processor time`);
      }),
      POLL_MS,
    );
    worker.once('message', end);
    worker.once('error', (error) => {
      fail('crash', String(error));
    });
    worker.once('exit', (code) => {
      fail('crash', `the thread ended with ${code}`);
    });
  });
}

/** Calls `act` when one input takes too long. */
function whenStuck(progress: Progress, act: () => void): () => void {
  let [begun, since] = [-1, process.cpuUsage()];
  return () => {
    if (progress.begun !== begun) {
      [begun, since] = [progress.begun, process.cpuUsage()];
      return;
    }
    if (processorMs(since) > HANG_MS) act();
  };
}
