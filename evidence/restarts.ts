import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentMb } from '../bench/proxy/process-tree.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { failedOf, queryBytes, startWireLoad } from './load.js';
import { nextLine } from './log-tail.js';
import { openReadyOrchestrator } from './ready-orchestrator.js';
import { report, SABOTAGED } from './report.js';
import { startServerProcess } from './server-process.js';
import { waitUntil } from './wait-until.js';

// Calls without a pause, through gatehouse with two workers. In each round the configuration is reloaded,
// which replaces the called adapter and adds or removes another; then the workers are replaced. No call
// fails. `npm run evidence -- restarts [ROUNDS] [CALLS]`: the calls of all rounds together, at least
const ROUNDS = Number(process.argv[2] ?? '100');
const CALLS = Number(process.argv[3] ?? '1000000');
const CALLERS = 8;
const WORKERS = 2;

const orchestrator = await openReadyOrchestrator();
const { path: folder } = temporaryFolder();
const server = await startServerProcess({
  folder,
  server: `workers: ${WORKERS}`,
  adapters: { core: adapter(0) },
});
const logFile = join(folder, 'gatehouse.log');
const load = startWireLoad({
  port: Number(new URL(server.url).port),
  request: queryBytes({ token: server.issueToken('admin'), adapterId: 'core', path: '/config' }),
  callers: CALLERS,
});
const { counts } = load;
const begun = performance.now();
let replaced = 0;
const megabytes: number[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  await reload(round);
  replaced += await restart();
  await waitUntil(() => counts.answered >= (CALLS * round) / ROUNDS);
  megabytes.push(Math.round(residentMb(server.child.pid!)));
}
await load.stop();
const seconds = Math.round((performance.now() - begun) / 1000);
await server.stop();
orchestrator.close();
const failed = failedOf(counts);
const exit = server.child.exitCode;
report('restarts', failed === 0 && replaced === ROUNDS * WORKERS && exit === 0, {
  reloads: ROUNDS,
  restarts: ROUNDS,
  replaced,
  calls: counts.answered,
  failed,
  failures: Object.fromEntries(counts.failures),
  seconds,
  exit,
  mainMb: { first: megabytes[0], last: megabytes.at(-1) },
});

/** Returns the text of a different adapter for each number. */
function adapter(number: number): string {
  return `plugin: http-rest\nbaseUrl: ${orchestrator.url}\ntimeouts: { totalMs: ${20_000 + number} }\n`;
}

async function reload(round: number): Promise<void> {
  const live = nextLine(logFile, /"configuration is live".*"core"|"configuration refused/);
  const other = join(folder, 'adapters', 'other.yaml');
  if (round % 2 === 1) writeFileSync(other, adapter(0));
  else rmSync(other);
  writeFileSync(join(folder, 'adapters', 'core.yaml'), adapter(round));
  server.child.kill('SIGHUP');
  const line = await live;
  if (line.includes('refused')) throw new Error(line);
}

/** Replaces the workers, and returns how many of them are new. */
async function restart(): Promise<number> {
  const previous = workers();
  const done = nextLine(logFile, /"workers were replaced"/);
  server.child.kill('SIGUSR2');
  if (SABOTAGED) for (const pid of previous) process.kill(pid, 'SIGKILL');
  await done;
  return workers().filter((pid) => !previous.includes(pid)).length;
}

/** Returns the processes that serve calls besides the main process (Linux). */
function workers(): readonly number[] {
  const pid = String(server.child.pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
