import { openRotationBench, runRotation } from '../test/openbao/rotations.js';
import { report, SABOTAGED } from './report.js';

// The credentials of four adapters are replaced while they are called: a value in KV, leases of database accounts,
// a static role, and leases that another client revokes. The OpenBao server and the PostgreSQL server are real.
// `npm run evidence -- rotation [CALLS] [SECONDS]`, per adapter.
const [CALLS = 2500, SECONDS = 100] = process.argv.slice(2).map(Number);
const PERIOD_SECONDS = 15;

const bench = await openRotationBench(
  PERIOD_SECONDS,
  ...(SABOTAGED ? ['refresh: { onAuthFailure: false }'] : []),
);
const { gatehouse, adapters } = bench;
const load = { calls: CALLS, seconds: SECONDS, periodSeconds: PERIOD_SECONDS };
const runs = Object.fromEntries(
  await Promise.all(
    adapters.map(async (adapter) => [adapter.name, await runRotation(gatehouse, adapter, load)] as const),
  ),
);
await bench.close();
const holds = Object.values(runs).every(
  ({ calls, credentials, failed }) => calls > 0 && credentials > 1 && Object.keys(failed).length === 0,
);
report('rotation', holds, { periodSeconds: PERIOD_SECONDS, ...runs });
