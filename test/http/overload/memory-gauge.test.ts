import assert from 'node:assert/strict';
import { openLoadSampler } from '../../../src/http/overload/load-samples.js';
import { createMemoryGauge } from '../../../src/http/overload/memory-gauge.js';

describe('the memory gauge', () => {
  let use = { needed: 10, resident: 20 };
  let collections = 0;
  const open = () =>
    createMemoryGauge(
      90,
      () => use,
      () => (collections += 1),
    );
  /** Returns the results of a number of samples with the same use. */
  const sample = (isFull: () => boolean, next: typeof use, times = 1): readonly boolean[] => {
    use = next;
    return Array.from({ length: times }, isFull);
  };

  it('is full while objects and buffers need too much', () => {
    const isFull = open();
    assert.deepEqual(sample(isFull, { needed: 95, resident: 95 }, 3), [false, true, true]);
    assert.ok(sample(isFull, { needed: 95, resident: 95 }, 200).every(Boolean));
    assert.deepEqual(sample(isFull, { needed: 85, resident: 85 }), [true]);
    assert.deepEqual(sample(isFull, { needed: 80, resident: 85 }), [false]);
  });

  it('finding F1: accepts resident memory that nothing needs after five seconds', () => {
    const isFull = open();
    const found = sample(isFull, { needed: 10, resident: 94 }, 60);
    assert.deepEqual([found.indexOf(true), found.lastIndexOf(true)], [1, 50]);
    assert.ok(!sample(isFull, { needed: 10, resident: 94 }, 1_000).some(Boolean));
  });

  it('is full again if accepted resident memory grows, or is needed', () => {
    const isFull = open();
    sample(isFull, { needed: 10, resident: 94 }, 60);
    assert.deepEqual(sample(isFull, { needed: 10, resident: 97 }, 2), [false, true]);
    sample(isFull, { needed: 10, resident: 97 }, 60);
    assert.deepEqual(sample(isFull, { needed: 92, resident: 97 }, 2), [false, true]);
  });

  it('is full by resident memory for as long as it is needed', () => {
    const isFull = open();
    assert.ok(sample(isFull, { needed: 85, resident: 94 }, 200).slice(1).every(Boolean));
  });

  it('collects garbage once per second while it is full, because refused calls allocate too little', () => {
    collections = 0;
    const isFull = open();
    sample(isFull, { needed: 95, resident: 95 }, 22);
    assert.equal(collections, 3);
    sample(isFull, { needed: 10, resident: 20 }, 100);
    assert.equal(collections, 3);
  });

  it('measures this process', () => {
    const sampler = openLoadSampler();
    const held = Buffer.alloc(64 * 1024 * 1024);
    const { needed, resident } = sampler.memory();
    sampler.close();
    assert.ok(held.length > 0 && needed > 0 && resident > 0 && needed < 100 && resident < 100);
  });
});
