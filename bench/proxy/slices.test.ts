import assert from 'node:assert/strict';
import type { Outcome } from './job.js';
import { mergeOutcomes, sliceCount } from './slices.js';

const SLICE: Outcome = {
  replies: 100,
  seconds: 1,
  cpuMs: 50,
  residentMb: 80,
  others: 0.1,
  not200: 1,
  wrong: 2,
  compared: 10,
  different: 3,
  strangers: { asked: 5, refused: 4 },
};

describe('slices of a closed loop', () => {
  it('last about a second, and are at least one', () => {
    assert.deepEqual([0.2, 1, 2, 4.4].map(sliceCount), [1, 1, 2, 4]);
  });

  it('add up to one outcome, with the most memory and the mean of other work by time', () => {
    const merged = mergeOutcomes([SLICE, { ...SLICE, seconds: 3, others: 0.5, residentMb: 90, cpuMs: 70 }]);
    assert.deepEqual(merged, {
      replies: 200,
      seconds: 4,
      cpuMs: 120,
      residentMb: 90,
      others: 0.4,
      not200: 2,
      wrong: 4,
      compared: 20,
      different: 6,
      strangers: { asked: 10, refused: 8 },
    });
    assert.equal(mergeOutcomes([SLICE]), SLICE);
  });

  it('stay cold if the first slice began before the program was warm', () => {
    assert.equal(mergeOutcomes([{ ...SLICE, isCold: true }, SLICE, SLICE]).isCold, true);
    assert.equal('isCold' in mergeOutcomes([SLICE, SLICE]), false);
  });
});
