import assert from 'node:assert/strict';
import { STRACE } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { losePower } from './power-loss.js';

/** Most steps create tables; `npm run evidence -- power` checks each of them. */
const SETUP_STRIDE = 10;

describeWith(STRACE, 'D2: the store and power loss', function () {
  this.timeout(120_000);

  it('loses no acknowledged form, at whatever step the power fails', () => {
    const { states, acknowledged, losing, broken } = losePower({
      folder: temporaryFolder().path,
      forms: 8,
      sabotage: false,
      setupStride: SETUP_STRIDE,
    });
    assert.equal(acknowledged, 8);
    assert.ok(states > 300, `${states} states are too few`);
    assert.deepEqual([losing, broken], [0, 0]);
  });

  it('loses forms if it does not wait for the disk, which proves the check', () => {
    const { losing } = losePower({
      folder: temporaryFolder().path,
      forms: 6,
      sabotage: true,
      setupStride: SETUP_STRIDE,
    });
    assert.ok(losing > 0);
  });
});
