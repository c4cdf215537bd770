import assert from 'node:assert/strict';
import { temporaryFolder } from '../support/temporary-folder.js';
import { crash } from './crashes.js';

describe('D1: the store and kill -9', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it('loses no acknowledged write in 200 crashes of twenty stores', async () => {
    const { crashes, acknowledged, lost, broken } = await crash({
      folder: folder.path,
      kills: 10,
      stores: 20,
    });
    assert.equal(crashes, 200);
    assert.ok(acknowledged >= 400);
    assert.deepEqual([lost, broken], [[], []]);
  });
});
