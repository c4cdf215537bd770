import assert from 'node:assert/strict';
import { type ClusterFigures, runCluster } from '../support/cluster/run.js';
import { POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { startPostgresPair } from '../support/postgres-pair.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describeWith(
  POSTGRES_PROGRAMS,
  'D6: a cluster of three instances with a primary database and its standby',
  function () {
    this.timeout(300_000);
    let figures: ClusterFigures;

    before(async () => {
      const pair = await startPostgresPair();
      try {
        figures = await runCluster({ pair, folder: temporaryFolder().path, cycles: 1 });
      } finally {
        await pair.close();
      }
    });

    it('loses no acknowledged write when an instance and the primary are killed', () => {
      assert.deepEqual([figures.nodesKilled, figures.failovers, figures.writesLost], [1, 1, 0]);
      assert.ok(figures.writesAcknowledged > 0);
    });

    it('fails only calls on the killed instance, also without a database', () => {
      assert.deepEqual(figures.callsFailed, []);
      assert.ok(figures.callsCutOff <= 1);
    });

    it('refuses writes with 503 and Retry-After while it has no primary', () => {
      assert.ok(figures.writesRefused > 0);
      assert.deepEqual(figures.writesFailed, []);
    });
  },
);
