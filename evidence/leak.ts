import { fileURLToPath } from 'node:url';
import { openReplaceableAdapter } from '../test/support/replaceable-adapter.js';
import type { TestServer } from '../test/support/test-server.js';
import { until } from '../test/support/until.js';
import { failedOf, startLoad } from './load.js';
import { report, SABOTAGED } from './report.js';

// Reloads that replace an adapter leak nothing: heap, sockets and listeners return to their initial size.
// `npm run evidence -- leak [RELOADS] [WARM_UP]`: those of the second number are not measured.
const RELOADS = Number(process.argv[2] ?? '500');
const WARM_UP = Number(process.argv[3] ?? '50');
const CALLERS = 4;
/** Allowed growth of the heap in bytes: caches fill up. */
const SLACK = 4 * 1024 * 1024;

interface Reading {
  readonly heap: number;
  readonly sockets: number;
  readonly listeners: number;
}

const leaking = fileURLToPath(new URL('broken-plugins/leaking', import.meta.url));
const { testServer, replace } = await openReplaceableAdapter(SABOTAGED ? { pluginFolder: leaking } : {});

let [calls, failed] = [0, 0];
await reloads(WARM_UP, 0);
const before = await read(testServer);
await reloads(RELOADS, WARM_UP);
const after = await read(testServer);
await testServer.close();
report(
  'leak',
  calls > 0 &&
    failed === 0 &&
    after.heap - before.heap < SLACK &&
    after.sockets <= before.sockets + CALLERS &&
    after.listeners <= before.listeners,
  {
    reloads: RELOADS,
    calls,
    failed,
    before,
    after,
  },
);

async function reloads(count: number, from: number): Promise<void> {
  const load = startLoad({
    url: testServer.url,
    token: testServer.issueToken('admin'),
    adapterId: 'core1',
    callers: CALLERS,
    path: '/restconf/data/ietf-interfaces:interfaces',
  });
  for (let round = 1; round <= count; round += 1) {
    const faults = await replace(from + round);
    if (faults.length > 0) throw new Error(JSON.stringify(faults));
  }
  await load.stop();
  calls += load.counts.answered;
  failed += failedOf(load.counts);
}

/** Waits until pending closes have ended, then measures. */
async function read({ orchestrator, vault, logLines }: TestServer): Promise<Reading> {
  await until(() => orchestrator.connections() <= CALLERS);
  // Clears the recordings of the test server, which are not part of gatehouse's memory.
  for (const memory of [orchestrator.requests, vault.log, logLines]) (memory as unknown[]).length = 0;
  const listeners = (['SIGHUP', 'unhandledRejection', 'exit'] as const).map((name) =>
    process.listenerCount(name),
  );
  for (let turn = 0; turn < 5; turn += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    heap: process.memoryUsage().heapUsed,
    sockets: process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length,
    listeners: listeners.reduce((sum, count) => sum + count, 0),
  };
}
