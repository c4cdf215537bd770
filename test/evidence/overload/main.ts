import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { report, SABOTAGED } from '../report.js';
import { percentile, queryBytes, startLoad } from '../load.js';
import { startServerProcess } from '../server-process.js';
import { installBusyPlugin } from './busy-plugin.js';
import { type Callers, offer, openConnections, type Offered } from './offer.js';

// Calls at 1, 2, 5 and 10 times what gatehouse can carry: of those that are answered in time there are nearly as many as ever,
// the others are turned away at once, and health answers. `npm run evidence -- overload [SECONDS]`
const SECONDS = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? '10');
const TIMES = [1, 2, 5, 10];
const CONNECTIONS = 1_000;
const PATIENCE_MS = 1_000;
const LEAST_PART = 0.9;
const MOST_HEALTH_MS = 100;

const { path: folder } = temporaryFolder();
installBusyPlugin(folder);
const server = await startServerProcess({
  folder,
  ...(SABOTAGED && { server: 'overload: null' }),
  adapters: {
    core: `plugin: busy
baseUrl: http://127.0.0.1:1
queue: { concurrent: ${CONNECTIONS}, waiting: 0 }
`,
  },
});
const token = server.mint('admin');
const port = Number(new URL(server.url).port);
const connections = await openConnections(port, CONNECTIONS);
const request = queryBytes({ token, adapterId: 'core', path: '/config' });
const callers: Callers = { request, connections, patienceMs: PATIENCE_MS };

const capacity = await measureCapacity();
const steps: (Offered & { readonly times: number; readonly healthP99Ms: number })[] = [];
for (const times of TIMES) {
  const health = watchHealth();
  const offered = await offer(callers, times * capacity, SECONDS);
  const step = { times, ...offered, healthP99Ms: await health.stop() };
  process.stderr.write(`${JSON.stringify(step)}\n`);
  steps.push(step);
  await pause(1_000);
}
const recovered = await offer(callers, capacity / 2, 2);
for (const connection of connections) connection.end();
await server.stop();
const peak = Math.max(...steps.map(({ goodPerSecond }) => goodPerSecond));
const last = steps.at(-1);
const part = (last?.goodPerSecond ?? 0) / peak;
const holds =
  part >= LEAST_PART && (last?.healthP99Ms ?? Infinity) <= MOST_HEALTH_MS && recovered.refusedPart === 0;
report('overload', holds, { capacity, peak, part, steps, recovered });

/** Calls a second of a few callers, each of whom waits for the answer before the next call. */
async function measureCapacity(): Promise<number> {
  const load = startLoad({ url: server.url, token, adapterId: 'core', path: '/config', callers: 16 });
  await pause(2_000);
  const [before, begun] = [load.counts.answered, performance.now()];
  await pause(SECONDS * 500);
  const perSecond = ((load.counts.answered - before) * 1_000) / (performance.now() - begun);
  await load.stop();
  return Math.round(perSecond);
}

function watchHealth(): { stop(): Promise<number> } {
  const times: number[] = [];
  let busy = true;
  const watch = async (): Promise<void> => {
    while (busy) {
      const begun = performance.now();
      const reply = await fetch(`${server.url}/status`);
      await reply.arrayBuffer();
      times.push(reply.status === 200 ? performance.now() - begun : Infinity);
      await pause(20);
    }
  };
  const watching = watch();
  return {
    async stop() {
      busy = false;
      await watching;
      return Math.round(percentile(times, 99));
    },
  };
}
