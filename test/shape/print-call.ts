/**
 * Prints what one warm call runs, by the coverage counters of V8: each file with its functions and how often each ran, and the
 * sums: `node dist/test/shape/print-call.js [restAction|restQuery]`.
 */
import { Session } from 'node:inspector/promises';
import { callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer } from '../support/test-server.js';

/** Calls before the count, and calls that are counted: what runs in each of them belongs to a call. */
const [WARM_CALLS, CALLS] = [20, 10];

const operation = process.argv[2] ?? 'restAction';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
const server = await startTestServer({ folder: temporaryFolder().path });
const url = `${server.url}/orchestrator_manager/${operation}/core1`;
const token = server.issueToken('admin');
const params = { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' };
const body = operation === 'restAction' ? { params: { ...params, method: 'GET' }, body: {} } : { params };

async function callTimes(times: number): Promise<void> {
  for (let call = 0; call < times; call += 1) {
    const { status } = await callUrl(url, { method: 'POST', token, body });
    if (status !== 200) throw new Error(`a call ended with ${status}`);
  }
}

await callTimes(WARM_CALLS);
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await callTimes(CALLS);
const { result } = await session.post('Profiler.takePreciseCoverage');
const files = result
  .filter(({ url }) => /\/dist\/(?:src|plugins)\//.test(url))
  .map(({ url, functions }) => ({
    file: url.replace(/.*\/dist\//, ''),
    ran: functions
      .map(({ functionName, ranges }) => ({
        name: functionName || '?',
        times: (ranges[0]?.count ?? 0) / CALLS,
      }))
      .filter(({ times }) => times >= 1),
  }))
  .filter(({ ran }) => ran.length > 0)
  .sort((a, b) => (a.file < b.file ? -1 : 1));
for (const { file, ran } of files)
  process.stdout.write(`${file}: ${ran.map(({ name, times }) => `${name} ${times}`).join(', ')}\n`);
const all = files.flatMap(({ ran }) => ran);
const calls = all.reduce((sum, { times }) => sum + times, 0);
process.stdout.write(`${files.length} files, ${all.length} functions, ${Math.round(calls)} function calls\n`);
await server.close();
process.exit();
