import assert from 'node:assert/strict';
import { createAdmissionQueue, type AdmissionQueue } from '../../../src/http/overload/overload-detector.js';
import { createFakeLoop, type FakeLoop } from '../../support/fake-loop.js';

describe('the admission queue', () => {
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

  it('admits one more call after each short turn', () => {
    come('abcdefghij');
    assert.deepEqual(begun, []);
    assert.deepEqual(turns(4), ['a', 'bc', 'def', 'ghij']);
  });

  it('admits calls for 5 ms per turn', () => {
    come('abcdefghijklmnop', 2);
    assert.deepEqual(turns(7), ['a', 'bc', 'def', 'gh', 'ijk', 'lm', 'nop']);
  });

  it('admits at least one call per turn', () => {
    come('abc', 1_000);
    assert.deepEqual(turns(3), ['a', 'b', 'c']);
  });

  it('reports the longest wait since the last report, including calls that still wait', () => {
    come('abc', 10);
    loop.pass(30);
    assert.equal(turnstile.longestWaitMs(), 30);
    turns(3);
    assert.equal(turnstile.longestWaitMs(), 50);
    assert.equal(turnstile.longestWaitMs(), 0);
  });
});
