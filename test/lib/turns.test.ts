import assert from 'node:assert/strict';
import { setImmediate as immediate } from 'node:timers/promises';
import { nextTurn } from '../../src/lib/turns.js';

describe('nextTurn', () => {
  it('finding F2: lets one caller continue in each turn of the event loop', async () => {
    let turn = 0;
    const turns: number[] = [];
    const callers = Promise.all(
      [1, 2, 3].map(async () => {
        await nextTurn();
        turns.push(turn);
      }),
    );
    for (; turns.length < 3; turn += 1) await immediate();
    await callers;
    assert.equal(new Set(turns).size, 3, String(turns));
  });
});
