import assert from 'node:assert/strict';
import { warmUp } from './closed-loop.js';
import type { Outcome } from './job.js';

const OUTCOME: Outcome = {
  replies: 1000,
  seconds: 1,
  cpuMs: 0,
  residentMb: 0,
  others: 0,
  not200: 0,
  wrong: 0,
  compared: 0,
  different: 0,
  strangers: { asked: 0, refused: 0 },
};

/** Warms up with slices of these CPU times, while each 50 ms bring 100 replies; returns the result and the time. */
async function warm(warmReplies: number | undefined, cpuMs: readonly number[]) {
  let time = 0;
  let slice = 0;
  const tally = {
    get replies() {
      return time * 2;
    },
    begin: () => undefined,
    end: () => ({ ...OUTCOME, cpuMs: cpuMs[slice++ % cpuMs.length] ?? 0 }),
  };
  const pause = (ms: number) => {
    time += ms;
    return Promise.resolve();
  };
  const job = { warmMs: 1000, ...(warmReplies !== undefined && { warmReplies }) };
  return [await warmUp(job, tally, { pause, now: () => time }), time];
}

describe('the warm-up of a closed loop', () => {
  it('ends when two slices in turn cost the same', async () => {
    assert.deepEqual(await warm(3000, [400, 300, 250, 240, 100]), [true, 5500]);
  });

  it('says that a program is not warm whose cost still changes, or which has too few replies', async () => {
    assert.deepEqual(await warm(3000, [400, 300]), [false, 10_500]);
    assert.deepEqual(await warm(90_000, [400]), [false, 10_000]);
  });

  it('takes only its time without a number of replies', async () => {
    assert.deepEqual(await warm(undefined, [400, 300]), [true, 1000]);
  });
});
