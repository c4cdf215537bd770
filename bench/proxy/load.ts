import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Job, Outcome } from './job.js';
import { CPU, pinned } from './program.js';

const SCRIPT = fileURLToPath(new URL('load-main.js', import.meta.url));

/** Runs a job in a separate process. */
export async function runLoad(job: Job): Promise<Outcome> {
  const [program, words] = pinned(CPU.others, [process.execPath, SCRIPT]);
  const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.once('message', (message) => {
      resolve(message as Outcome);
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`the load maker ended with ${code ?? 'a signal'}`));
    });
  });
  child.send(job);
  try {
    return await outcome;
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    }
  }
}
