import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../test/support/random.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { report, SABOTAGED } from './report.js';
import { SHIPPED_COMMAND, startServerProcess, writeServerFiles } from './server-process.js';

// kill -9 at random moments of the start, repeatedly on the same files: the next start always
// serves. `npm run evidence -- starts [KILLS]`
const KILLS = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? '1000');
/** Kills between two starts that must succeed. */
const ROUND = 10;

const { path: folder } = temporaryFolder();
const random = new Random(Number(process.env['SEED'] ?? Date.now() % 2 ** 31));
const files = { folder };
const begun = performance.now();
await (await startServerProcess(files)).stop();
const startMs = performance.now() - begun;
const config = writeServerFiles(files);
let [killed, served, failed] = [0, 0, 0];
for (let at = 0; at < KILLS; at += 1) {
  await killInStart(random.next() * startMs);
  if (SABOTAGED) leaveHalf(join(folder, 'key.pem'));
  if ((at + 1) % ROUND === 0) await startWhole();
}
report('starts', killed > 0 && served > 0 && failed === 0, {
  kills: KILLS,
  killed,
  served,
  failed,
  startMs: Math.round(startMs),
  seed: random.seed,
});

/** Starts the server and kills it after this number of milliseconds. */
async function killInStart(afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [...SHIPPED_COMMAND, 'serve', '--config', config], {
    stdio: 'ignore',
  });
  const gone = once(child, 'exit');
  await pause(afterMs);
  child.kill('SIGKILL');
  const [, signal] = (await gone) as [number | null, NodeJS.Signals | null];
  if (signal === 'SIGKILL') killed += 1;
  // A server that exited before the kill failed to start.
  else failed += 1;
}

/** Truncates a file, as a program leaves it that writes in place and is killed. */
function leaveHalf(file: string): void {
  truncateSync(file, Math.floor(statSync(file).size / 2));
}

async function startWhole(): Promise<void> {
  try {
    const server = await startServerProcess(files);
    const { status } = await fetch(`${server.url}/health/status`);
    if (status === 200) served += 1;
    else failed += 1;
    await server.stop('SIGKILL');
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    failed += 1;
  }
}
