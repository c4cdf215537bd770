import assert from 'node:assert/strict';
import { createAdmissionQueue, type AdmissionQueue } from '../../../src/http/overload/overload-detector.js';
import { createFakeLoop, type FakeLoop } from '../../support/fake-loop.js';

describe('a turnstile', () => {
  let loop: FakeLoop;
  let turnstile: AdmissionQueue;
  let begun: string[];
  beforeEach(() => {
    loop = createFakeLoop();
    turnstile = createAdmissionQueue(loop);
    begun = [];
  });

  /** Adds calls that take `takesMs` to begin. */
  function come(names: string, takesMs = 0): void {
    for (const name of names)
      turnstile.enqueue(() => {
        begun.push(name);
        loop.pass(takesMs);
      });
  }

  /** Names of the calls that began in each of some turns. */
  function turns(count: number): readonly string[] {
    return Array.from({ length: count }, () => {
      loop.turn();
      return begun.splice(0).join('');
    });
  }

  it('lets one more begin in each turn that is short', () => {
    come('abcdefghij');
    assert.deepEqual(begun, []);
    assert.deepEqual(turns(4), ['a', 'bc', 'def', 'ghij']);
  });

  it('lets as many begin in a turn as take 5 ms', () => {
    come('abcdefghijklmnop', 2);
    assert.deepEqual(turns(7), ['a', 'bc', 'def', 'gh', 'ijk', 'lm', 'nop']);
  });

  it('lets one begin in a turn however long that takes', () => {
    come('abc', 1_000);
    assert.deepEqual(turns(3), ['a', 'b', 'c']);
  });

  it('tells the longest wait since it was last asked, of those who wait still as well', () => {
    come('abc', 10);
    loop.pass(30);
    assert.equal(turnstile.longestWaitMs(), 30);
    turns(3);
    assert.equal(turnstile.longestWaitMs(), 50);
    assert.equal(turnstile.longestWaitMs(), 0);
  });
});
