import { callUrl } from '../test/support/call.js';
import { openReplaceableAdapter } from '../test/support/replaceable-adapter.js';
import { until } from '../test/support/until.js';
import { startLoad } from './load.js';
import { report, SABOTAGED } from './report.js';

// Reloads that replace the adapter that is being called: no call fails.
const RELOADS = Number(process.argv[2] ?? '100');
const CALLERS = 16;

const { testServer, replace } = await openReplaceableAdapter();
const load = startLoad({
  url: testServer.url,
  token: testServer.issueToken('admin'),
  adapterId: 'core1',
  callers: CALLERS,
  path: '/restconf/data/ietf-interfaces:interfaces',
});
const { counts } = load;
for (let round = 1; round <= RELOADS; round += 1) {
  const before = counts.answered;
  if (SABOTAGED) await put('stop');
  const faults = await replace(round);
  if (SABOTAGED) await put('start');
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  await until(() => counts.answered >= before + CALLERS);
}
await load.stop();
const left = testServer.orchestrator.connections();
await testServer.close();
report('reload', counts.answered > 0 && counts.failures.size === 0, {
  reloads: RELOADS,
  calls: counts.answered,
  failed: Object.fromEntries(counts.failures),
  connections: left,
});

/** Stops or starts the adapter, as a reload does not. */
async function put(what: 'start' | 'stop'): Promise<void> {
  await callUrl(`${testServer.url}/adapters/core1/${what}`, {
    method: 'PUT',
    token: testServer.issueToken('admin'),
  });
}
