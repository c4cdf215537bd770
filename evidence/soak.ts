import { readdirSync } from 'node:fs';
import { residentMb } from '../bench/proxy/process-tree.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { installPlugin } from './install-plugin.js';
import { failedOf, percentile, queryBytes, startWireLoad } from './load.js';
import { openReadyOrchestrator } from './ready-orchestrator.js';
import { report, SABOTAGED } from './report.js';
import { startServerProcess } from './server-process.js';
import { waitUntil } from './wait-until.js';

// Sends as many calls as a day has at 50 per second, sequentially, to one process. Its memory in the last
// quarter equals that of the second, and its open files are closed at the end. `npm run evidence -- day
// [CALLS]`
const CALLS = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? '4320000');
const CALLERS = 8;
const READINGS = 400;
/** Allowed growth of the median from one quarter to another, in MB. */
const SLACK_MB = 4;
const MOST_MB = 256;

/** Source of a plugin that leaks a part of each call. */
const HOARDER = `const hoard = [];
export const plugin = {
  type: 'hoarder',
  apiVersion: 1,
  summary: 'Keeps something of each call.',
  options: { type: 'object' },
  create: () => ({
    translate({ method, path }) {
      hoard.push(Buffer.alloc(1_000).toString('latin1') + hoard.length);
      return [{ method, path, headers: {} }];
    },
  }),
};
`;

const orchestrator = await openReadyOrchestrator();
const { path: folder } = temporaryFolder();
if (SABOTAGED) installPlugin(folder, 'hoarder', HOARDER);
const plugin = SABOTAGED ? 'hoarder' : 'http-rest';
const server = await startServerProcess({
  folder,
  log: 'rotation: { bytes: 50000000, keep: 1 }',
  adapters: { core: `plugin: ${plugin}\nbaseUrl: ${orchestrator.url}\n` },
});
const pid = server.child.pid!;
const atRest = openFiles();
const load = startWireLoad({
  port: Number(new URL(server.url).port),
  request: queryBytes({ token: server.issueToken('admin'), adapterId: 'core', path: '/config' }),
  callers: CALLERS,
});
const begun = performance.now();
const megabytes: number[] = [];
for (let reading = 1; reading <= READINGS; reading += 1) {
  await waitUntil(() => load.counts.answered >= (CALLS * reading) / READINGS);
  megabytes.push(Math.round(residentMb(pid)));
  if (reading % 20 === 0)
    process.stderr.write(`${load.counts.answered} calls, ${megabytes.at(-1) ?? 0} MB\n`);
}
await load.stop();
const seconds = Math.round((performance.now() - begun) / 1000);
orchestrator.close();
// Files that stay open fail the group, which reports their number.
await waitUntil(() => openFiles() <= atRest).catch(() => undefined);
const left = openFiles();
await server.stop();

const quarter = (number: number): number =>
  percentile(megabytes.slice(((number - 1) * READINGS) / 4, (number * READINGS) / 4), 50);
const failed = failedOf(load.counts);
const [second, last, most] = [quarter(2), quarter(4), Math.max(...megabytes)];
report('day', failed === 0 && last - second <= SLACK_MB && most <= MOST_MB && left <= atRest, {
  calls: load.counts.answered,
  failed,
  failures: Object.fromEntries(load.counts.failures),
  seconds,
  medianMb: { first: quarter(1), second, third: quarter(3), last },
  mostMb: most,
  openFiles: { atRest, left },
});

/** Files and sockets of the server. */
function openFiles(): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
