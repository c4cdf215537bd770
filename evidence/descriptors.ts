import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { until } from '../test/support/until.js';
import { report, SABOTAGED } from './report.js';
import { startServerProcess } from './server-process.js';

// 2,000 connections to a process that may open 256 files: the process continues, and serves again after they
// are closed. `npm run evidence -- descriptors [CONNECTIONS]`
const CONNECTIONS = Number(process.argv[2] ?? '2000');
const FILES = 256;

const keeping = [
  'env',
  `NODE_OPTIONS=--import=${fileURLToPath(new URL('leaked-handles.js', import.meta.url))}`,
];
const server = await startServerProcess({ folder: temporaryFolder().path }, SABOTAGED ? keeping : []);
// Not before the start: Node reads hundreds of modules at a time.
execFileSync('prlimit', ['--pid', String(server.child.pid), `--nofile=${FILES}`]);
const port = Number(new URL(server.url).port);
const sockets: Socket[] = [];
let [opened, settled] = [0, 0];
for (let at = 0; at < CONNECTIONS; at += 1) {
  const socket = connect(port, '127.0.0.1');
  let isSettled = false;
  const settle = (): void => {
    if (!isSettled) settled += 1;
    isSettled = true;
  };
  socket.on('connect', () => {
    opened += 1;
    settle();
  });
  socket.on('error', settle).on('close', settle);
  sockets.push(socket);
}
// The system retries connections that it cannot queue for a minute; the test does not wait for them.
await until(() => settled >= Math.min(CONNECTIONS, FILES));
const isAlive = server.child.exitCode === null;
for (const socket of sockets) socket.destroy();
await Promise.all(sockets.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')));
const answer = await askUntilAnswered();
const lines = server
  .log()
  .split('\n')
  .filter((line) => line.includes('"level":"error"')).length;
// The sabotaged server never closes connections, so that SIGTERM would not end it.
await server.stop(SABOTAGED ? 'SIGKILL' : 'SIGTERM');
// If all connections are opened, the limit had no effect.
const isLimited = opened > FILES && opened < CONNECTIONS;
report('descriptors', isAlive && answer === 200 && isLimited, {
  files: FILES,
  connections: CONNECTIONS,
  opened,
  answer,
  errorLines: lines,
  exit: server.child.exitCode,
});

/** Returns the status of the first reply; repeats refused attempts for half a minute. */
async function askUntilAnswered(): Promise<number> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    const patience = AbortSignal.timeout(5_000);
    const status = await fetch(`${server.url}/health/status`, { signal: patience }).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status !== 0) return status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return 0;
}
