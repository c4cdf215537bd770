import assert from 'node:assert/strict';
import { createAdmissionQueue, type AdmissionQueue } from '../../../src/http/overload/overload-detector.js';
import { createFakeLoop, type FakeLoop } from '../../support/fake-loop.js';

describe('the admission queue', () => {
  let loop: FakeLoop;
  let queue: AdmissionQueue;
  let admitted: string[];
  beforeEach(() => {
    loop = createFakeLoop();
    queue = createAdmissionQueue(loop);
    admitted = [];
  });

  /** Enqueues calls whose start takes `takesMs`. */
  function enqueueCalls(names: string, takesMs = 0): void {
    for (const name of names)
      queue.enqueue(() => {
        admitted.push(name);
        loop.pass(takesMs);
      });
  }

  /** Runs turns, and returns the names of the calls that each turn admits. */
  function turns(count: number): readonly string[] {
    return Array.from({ length: count }, () => {
      loop.turn();
      return admitted.splice(0).join('');
    });
  }

  it('admits one more call after each short turn', () => {
    enqueueCalls('abcdefghij');
    assert.deepEqual(admitted, []);
    assert.deepEqual(turns(4), ['a', 'bc', 'def', 'ghij']);
  });

  it('admits calls for 5 ms per turn', () => {
    enqueueCalls('abcdefghijklmnop', 2);
    assert.deepEqual(turns(7), ['a', 'bc', 'def', 'gh', 'ijk', 'lm', 'nop']);
  });

  it('admits at least one call per turn', () => {
    enqueueCalls('abc', 1_000);
    assert.deepEqual(turns(3), ['a', 'b', 'c']);
  });

  it('reports the longest wait since the last report, including calls that still wait', () => {
    enqueueCalls('abc', 10);
    loop.pass(30);
    assert.equal(queue.longestWaitMs(), 30);
    turns(3);
    assert.equal(queue.longestWaitMs(), 50);
    assert.equal(queue.longestWaitMs(), 0);
  });
});
