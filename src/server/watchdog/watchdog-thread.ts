import { parentPort, workerData } from 'node:worker_threads';
import { BEAT, LIMIT_SECONDS, type WatchdogOutput, type WatchdogThreadData } from './protocol.js';
import { createStuckLoopMeter, readMainThreadCpuMs } from './stuck-loop.js';

// The thread of the watchdog. It imports little, because each server starts it first.

const { memory, intervalMs, output: firstOutput } = workerData as WatchdogThreadData;
const cells = new Int32Array(memory);
let output: WatchdogOutput = firstOutput;
parentPort?.on('message', (changed: WatchdogOutput) => {
  output = changed;
});

const measure = createStuckLoopMeter();
const timer = setInterval(() => {
  const limitSeconds = Atomics.load(cells, LIMIT_SECONDS);
  const stuckMs = measure({ beat: Atomics.load(cells, BEAT), readCpuMs: readMainThreadCpuMs });
  if (stuckMs < limitSeconds * 1000) return;
  clearInterval(timer);
  void endProcess(Math.round(stuckMs / 1000));
}, intervalMs);

/** Time for the report, whose modules are loaded only now, in milliseconds. */
const REPORT_TIMEOUT_MS = 10_000;

/** Ends the process with a report; without one if the modules of the report cannot be loaded. */
async function endProcess(seconds: number): Promise<void> {
  const kill = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  setTimeout(kill, REPORT_TIMEOUT_MS);
  try {
    const { endStuckProcess } = await import('./end-stuck-process.js');
    endStuckProcess(seconds, output);
  } catch {
    kill();
  }
}
