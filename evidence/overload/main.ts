import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { percentile, queryBytes, startLoad } from '../load.js';
import { report, SABOTAGED } from '../report.js';
import { startServerProcess } from '../server-process.js';
import { installBusyPlugin } from './busy-plugin.js';
import { type CallerGroups, offer, openConnections, type Offered } from './offer.js';

// Calls at 1, 2, 5 and 10 times the capacity of gatehouse: the number of calls answered in time stays nearly
// constant, the others are refused immediately, and health answers. The check applies to heavy calls. For
// light calls the cost of refusals is only reported: reading and answering nine requests is work as well.
// `npm run evidence -- overload [SECONDS]`
const SECONDS = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? '10');
const TIMES = [1, 2, 5, 10];
const CONNECTIONS = 1_000;
const TIMEOUT_MS = 1_000;
const LEAST_PART = 0.9;
const MOST_HEALTH_MS = 100;
/** Bytes that a call has hashed twice: work of about 20 ms, and of 2. */
const KINDS = { heavy: 16_000_000, light: 1_500_000 };
type Kind = keyof typeof KINDS;

interface Step extends Offered {
  readonly times: number;
  readonly healthP99Ms: number;
}

/** Results of calls of one kind. */
interface Course {
  /** CPU time of a call in milliseconds. */
  readonly callMs: number;
  /**
   * Maximum number of calls per second that were answered in time, and the fraction of it at the last step.
   */
  readonly peak: number;
  readonly part: number;
  readonly healthP99Ms: number;
  readonly refusedP50Ms: number;
  readonly steps: readonly Step[];
  /** Results at half of the capacity, immediately afterwards. */
  readonly recovered: Offered;
}

const { path: folder } = temporaryFolder();
installBusyPlugin(folder);
const server = await startServerProcess({
  folder,
  ...(SABOTAGED && { server: 'overload: null' }),
  adapters: { heavy: adapter('heavy'), light: adapter('light') },
});
const token = server.issueToken('admin');
const port = Number(new URL(server.url).port);
const connections = await openConnections(port, CONNECTIONS);
const heavy = await follow('heavy');
const light = await follow('light');
for (const connection of connections) connection.end();
await server.stop();
const isHealthy = [heavy, light].every(({ healthP99Ms }) => healthP99Ms <= MOST_HEALTH_MS);
const isOver = [heavy, light].every(({ recovered }) => recovered.refusedPart === 0);
report('overload', heavy.part >= LEAST_PART && isHealthy && isOver, { heavy, light });

function adapter(kind: Kind): string {
  return `plugin: busy
baseUrl: http://127.0.0.1:1
options: { bytes: ${KINDS[kind]} }
queue: { concurrent: ${CONNECTIONS}, waiting: 0 }
`;
}

async function follow(kind: Kind): Promise<Course> {
  const request = queryBytes({ token, adapterId: kind, path: '/config' });
  const callers: CallerGroups = { request, connections, patienceMs: TIMEOUT_MS };
  const capacity = await measureCapacity(kind);
  const steps: Step[] = [];
  for (const times of TIMES) {
    const health = watchHealth();
    const offered = await offer(callers, times * capacity, SECONDS);
    const step = { times, ...offered, healthP99Ms: await health.stop() };
    process.stderr.write(`${kind} ${JSON.stringify(step)}\n`);
    steps.push(step);
    await pause(1_000);
  }
  const recovered = await offer(callers, capacity / 2, 2);
  const peak = Math.max(...steps.map(({ goodPerSecond }) => goodPerSecond));
  const last = steps.at(-1)!;
  return {
    callMs: 1_000 / capacity,
    peak,
    part: last.goodPerSecond / peak,
    healthP99Ms: last.healthP99Ms,
    refusedP50Ms: last.refusedP50Ms,
    steps,
    recovered,
  };
}

/** Calls a second of a few callers, each of whom waits for the answer before the next call. */
async function measureCapacity(adapterId: Kind): Promise<number> {
  const load = startLoad({ url: server.url, token, adapterId, path: '/config', callers: 16 });
  await pause(2_000);
  const carried = (): number => load.counts.answered - (load.counts.failures.get(503) ?? 0);
  const [before, begun] = [carried(), performance.now()];
  await pause(SECONDS * 500);
  const perSecond = ((carried() - before) * 1_000) / (performance.now() - begun);
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
