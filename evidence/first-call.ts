import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../test/support/free-port.js';
import { installTarball, packGatehouse, run } from './packed-gatehouse.js';
import { report, SABOTAGED } from './report.js';

// The commands of the first call, timed on a fresh folder with the packed tarball: install, init, serve until ready,
// token, and a query of the adapter with recorded replies. Needs a registry, or a cache of npm, and curl.

/** Seconds of a step: elapsed, and of the processor by all of its processes. */
interface Step {
  readonly wall: number;
  readonly cpu: number;
}

/** Clock ticks per second in `/proc`, which Linux fixes for programs. */
const TICKS = 100;
const QUERY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-first-call-'));
const home = join(folder, 'home');
const config = join(home, 'first/gatehouse.yaml');
const steps: Record<string, Step> = {};
try {
  const tarball = join(folder, packGatehouse(folder));
  await time('install', () => {
    installTarball(home, tarball);
  });
  await time('init', () => run(home, ['npx', 'gatehouse', 'init', '--config', config]));
  if (SABOTAGED) rmSync(join(home, 'first/recordings'), { recursive: true });
  const reply = await callServer();
  const total = Object.values(steps).reduce((sum, { wall }) => sum + wall, 0);
  report('first-call', reply.includes('"ietf-interfaces:interfaces"'), {
    seconds: steps,
    totalSeconds: rounded(total),
    gatehouse: run(home, ['npx', 'gatehouse', '--version']).trim(),
    npm: run(home, ['npm', '--version']).trim(),
    processors: availableParallelism(),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a step, and notes its time with that of the processes that have ended in it. */
async function time<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const [began, before] = [performance.now(), endedChildrenSeconds()];
  const result = await work();
  const wall = rounded((performance.now() - began) / 1000);
  steps[name] = { wall, cpu: rounded(endedChildrenSeconds() - before) };
  return result;
}

/** Serves the configuration, and resolves to the reply of the first call. */
async function callServer(): Promise<string> {
  const port = await freePort();
  const serve = ['gatehouse', 'serve', '--config', config, '--listen', `127.0.0.1:${port}`];
  const began = performance.now();
  const child = spawn('npx', serve, { cwd: home, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await isServing(child);
    steps['serve'] = {
      wall: rounded((performance.now() - began) / 1000),
      cpu: rounded(groupSeconds(child.pid)),
    };
    const words = ['npx', 'gatehouse', 'token', '--role', 'admin', '--config', config];
    const token = await time('token', () => run(home, words).trim());
    return await time('call', () => {
      const url = `https://localhost:${port}/orchestrator_manager/restQuery/nso1`;
      const headers = ['-H', `Authorization: Bearer ${token}`, '-H', 'Content-Type: application/json'];
      const ca = ['--cacert', join(home, 'first/tls/cert.pem')];
      return run(home, ['curl', '-sS', ...ca, url, ...headers, '-d', JSON.stringify(QUERY)]);
    });
  } finally {
    const exit = once(child, 'exit');
    // npx and the server are one process group.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exit;
  }
}

async function isServing({ stdout }: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: stdout! })) {
    if (!line.includes(' serves https')) continue;
    stdout?.resume();
    return;
  }
  throw new Error('the server ended before it served');
}

/** Returns the processor seconds of the children of this process that have ended, with their own. */
function endedChildrenSeconds(): number {
  const [, , cutime = 0, cstime = 0] = cpuTicks('self');
  return (cutime + cstime) / TICKS;
}

/** Returns the processor seconds of a running process, and of those that it has started. */
function groupSeconds(pid = 0): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  const own = cpuTicks(String(pid)).reduce((sum, ticks) => sum + ticks, 0) / TICKS;
  return children.reduce((sum, child) => sum + groupSeconds(Number(child)), own);
}

/** Returns utime, stime, cutime and cstime of a process. */
function cpuTicks(pid: string): readonly number[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')')).split(' ').slice(12, 16).map(Number);
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
