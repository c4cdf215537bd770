import assert from 'node:assert/strict';
import { openReplaceableAdapter, type ReplaceableAdapter } from '../support/replaceable-adapter.js';
import type { TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

/** A longer form of this test is part of the evidence runs. */
const RELOADS = Number(process.env['GATEHOUSE_RELOADS'] ?? 4);
const CALLERS = 8;

describe(`${RELOADS} reloads that replace an adapter under load`, () => {
  let testServer: TestServer;
  let replace: ReplaceableAdapter['replace'];
  before(async () => {
    ({ testServer, replace } = await openReplaceableAdapter());
  });
  after(() => testServer.close());

  it('lose no call, and leave no connection open', async function () {
    this.timeout(20_000 + RELOADS * 1_000);
    const failures: number[] = [];
    let answered = 0;
    let busy = true;
    const call = async (): Promise<void> => {
      while (busy) {
        const { status } = await testServer.query();
        answered += 1;
        if (status !== 200) failures.push(status);
      }
    };
    const callers = Array.from({ length: CALLERS }, call);
    for (let round = 1; round <= RELOADS; round += 1) {
      const before = answered;
      assert.deepEqual(await replace(round), []);
      await until(() => answered >= before + CALLERS);
    }
    busy = false;
    await Promise.all(callers);
    assert.deepEqual(failures, []);
    // Only the connections of the current adapter remain; the previous adapters have closed theirs.
    await until(() => testServer.orchestrator.connections() <= CALLERS);
  });
});
