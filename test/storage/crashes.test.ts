import assert from 'node:assert/strict';
import { temporaryFolder } from '../support/temporary-folder.js';
import { crash } from './crashes.js';

describe('D1: the store and kill -9', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it('loses no acknowledged write in 18 crashes of six stores', async () => {
    const plan = { folder: folder.path, kills: 3, stores: 6 };
    const { crashes, acknowledged, lost, broken } = await crash(plan);

    assert.equal(crashes, 18);
    assert.ok(acknowledged >= 39);
    assert.deepEqual([lost, broken], [[], []]);
  });
});
