import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { startTestServer } from '../test/support/test-server.js';
import { failedOf, type Load, percentile, startLoad } from './load.js';
import { report, SABOTAGED } from './report.js';
import { waitUntil } from './wait-until.js';

// An adapter whose orchestrator accepts connections and never answers, with 1,000 calls in flight: calls of
// another adapter take no longer (p99 within 1.10 of their time without it) and none of them fails. `npm run
// evidence -- isolation [ROUNDS] [MILLISECONDS]`, of one round
const STUCK = 1_000;
const AT_ONCE = 20;
const ROUNDS = Number(process.argv[2] ?? '6');
const ROUND_MS = Number(process.argv[3] ?? '5000');
const MOST = 1.1;

const held = new Set<Socket>();
/** Fewest stuck calls at the end of a round. */
let leastHeld = STUCK;
const hole = createServer((socket) => {
  held.add(socket);
  socket.on('error', () => undefined).on('close', () => held.delete(socket));
}).listen(0, '127.0.0.1');
await once(hole, 'listening');
const { port } = hole.address() as AddressInfo;
const oneLine = fileURLToPath(new URL('broken-plugins/one-line', import.meta.url));
const testServer = await startTestServer({
  folder: temporaryFolder().path,
  ...(SABOTAGED && { pluginFolder: oneLine }),
  arrange: (folder) => {
    writeFileSync(
      join(folder, 'adapters', 'hole.yaml'),
      `plugin: http-rest
baseUrl: http://127.0.0.1:${port}
queue: { concurrent: ${STUCK}, waiting: 0 }
breaker: { failures: 0 }
retry: { attempts: 1 }
timeouts: { firstByteMs: 600000, totalMs: 600000 }
`,
    );
  },
});
const near = {
  url: testServer.url,
  token: testServer.issueToken('admin'),
  path: '/restconf/data/ietf-interfaces:interfaces',
};

/** 99th percentile of the calls of a round, in milliseconds. */
async function round(): Promise<{ readonly p99: number; readonly failed: number }> {
  const load = startLoad({ ...near, adapterId: 'core1', callers: 8 });
  await delay(ROUND_MS);
  await load.stop();
  const failed = failedOf(load.counts);
  return { p99: percentile(load.times, 99), failed };
}

/** The same, while the other adapter is stuck with all its calls. */
async function roundBesideStuck(): ReturnType<typeof round> {
  const stuck: Load[] = [];
  // Starts the calls gradually: starting them together would be overload, which another group tests.
  while (held.size < STUCK) {
    const more = Math.min(AT_ONCE, STUCK - held.size);
    const enough = held.size + more;
    stuck.push(startLoad({ ...near, adapterId: 'hole', path: '/', callers: more }));
    await waitUntil(() => held.size >= enough);
  }
  const result = await round();
  leastHeld = Math.min(leastHeld, held.size);
  const stopped = stuck.map((load) => load.stop());
  for (const socket of held) socket.destroy();
  await Promise.all(stopped);
  return result;
}

await round();
const rounds = [];
for (let at = 0; at < ROUNDS; at += 1) rounds.push([await round(), await roundBesideStuck()] as const);
hole.close();
await testServer.close();
const median = (values: readonly number[]): number => percentile(values, 50);
const alone = median(rounds.map(([solo]) => solo.p99));
const beside = median(rounds.map(([, both]) => both.p99));
const failed = rounds.flat().reduce((sum, one) => sum + one.failed, 0);
report('isolation', leastHeld === STUCK && beside / alone <= MOST && failed === 0, {
  stuck: leastHeld,
  rounds: ROUNDS,
  p99AloneMs: alone,
  p99BesideMs: beside,
  ratio: beside / alone,
  failed,
});
