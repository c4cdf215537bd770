import { runCluster } from '../test/support/cluster/run.js';
import { POSTGRES_PROGRAMS } from '../test/support/need-list.js';
import { lackOf } from '../test/support/needs.js';
import { startPostgresPair } from '../test/support/postgres-pair.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { percentile } from './load.js';
import { report, SABOTAGED } from './report.js';

// Three nodes on a primary and its standby: in each cycle a node is killed, then the primary, all under load.
// `npm run evidence -- cluster [CYCLES]`.
const CYCLES = Number(process.argv[2] ?? '20');

if (lackOf(POSTGRES_PROGRAMS)) {
  process.stderr.write('cluster: skipped, since there are no server binaries of PostgreSQL\n');
} else {
  const pair = await startPostgresPair();
  const started = Date.now();
  const folder = temporaryFolder();
  const figures = await runCluster({ pair, folder: folder.path, cycles: CYCLES, isSabotaged: SABOTAGED });
  await pair.close();
  folder.remove();
  const { firstWriteMs, callsFailed, writesFailed, writesLost, failovers, writesAcknowledged } = figures;
  const isMeasured = failovers > 0 && writesAcknowledged > 0;
  const holds = isMeasured && writesLost + callsFailed.length + writesFailed.length === 0;
  report('cluster', holds, {
    ...figures,
    firstWriteMs: undefined,
    firstWriteP50Ms: percentile(firstWriteMs, 50),
    firstWriteP99Ms: percentile(firstWriteMs, 99),
    sabotaged: SABOTAGED,
    seconds: Math.round((Date.now() - started) / 1000),
  });
}
