import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPENBAO, POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { startOpenBao } from '../support/openbao.js';
import { openedBySuite } from '../support/opened.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { lostDuring, TOKEN_FILE } from './bench.js';
import { basicAdapter, startGatehouse, startOrchestrator } from './gatehouse.js';
import { openRotationBench, runRotation } from './rotations.js';

/** The shortest period that OpenBao permits for a static role. */
const PERIOD_SECONDS = 5;

/** Number of rotations, each directly after the effects of the one before. */
const ROTATIONS = 5;

describeWith(
  [OPENBAO, POSTGRES_PROGRAMS],
  'the rotation of secrets, on a real OpenBao and a real PostgreSQL',
  () => {
    const opened = openedBySuite();

    it('S-12 loses no call: a new value, renewed and replaced leases, a static role, leases revoked by somebody else', async () => {
      const { gatehouse, adapters } = await opened(openRotationBench(PERIOD_SECONDS));
      // Leases are replaced at most every 5 s after refusals, however late a busy machine notices them.
      // Each call is a login in PostgreSQL: no more of them than a busy machine checks well within the period of a rotation.
      const load = { calls: 160, seconds: 16, periodSeconds: PERIOD_SECONDS + 2 };
      const runs = await Promise.all(adapters.map((adapter) => runRotation(gatehouse, adapter, load)));
      const failed = Object.fromEntries(runs.map((run, at) => [adapters[at]?.name ?? '', run.failed]));
      assert.deepEqual(failed, { kv: {}, leases: {}, 'static-role': {}, revocation: {} });
      // Without refused requests nothing was replaced.
      for (const [at, name] of adapters.map(({ name }) => name).entries())
        if (name !== 'leases') assert.ok((runs[at]?.refusals ?? 0) > 0, `${name}: nothing was rotated`);
    });
  },
);

describeWith(OPENBAO, 'values that were read, on a real OpenBao', () => {
  const opened = openedBySuite();

  it('rotations one after the other lose at most one call each (bug: 181 of 1,070 calls were lost with 5 s between two)', async () => {
    let accepted = '';
    const bao = await opened(startOpenBao());
    const rotate = async (number: number): Promise<void> => {
      const password = `pw-number-${number}`;
      await bao.ask('POST', 'secret/data/adapters/rotated', { body: { data: { password } } });
      accepted = password;
    };
    await rotate(0);
    const orchestrator = await opened(startOrchestrator((_, password) => password === accepted));
    const folder = temporaryFolder().path;
    writeFileSync(join(folder, 'token'), bao.token);
    const gatehouse = await opened(
      startGatehouse({
        folder,
        vault: [`address: ${bao.address}`, TOKEN_FILE],
        adapters: { rotated: basicAdapter(orchestrator.url, 'admin', '$VAULT_adapters/rotated#password') },
      }),
    );
    for (let number = 1; number <= ROTATIONS; number += 1) {
      const replaced = gatehouse.log().split('"secret rotated"').length;
      const lost = await lostDuring(gatehouse, 'rotated', async () => {
        await rotate(number);
        await until(() => gatehouse.log().split('"secret rotated"').length > replaced);
        // Each secret is read at most once a second.
        const readAt = Date.now();
        await until(() => Date.now() - readAt > 1_000);
      });
      assert.ok(lost.length <= 1, `rotation ${number} lost ${lost.length} calls`);
    }
  });
});
