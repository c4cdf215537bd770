import assert from 'node:assert/strict';
import { collectGarbage } from '../../src/lib/collect-garbage.js';

describe('collectGarbage', () => {
  for (const flavor of ['regular', 'last-resort'] as const)
    it(`frees what nothing refers to, and leaves no function behind (${flavor})`, () => {
      // What earlier tests have left must not be freed while the array is made.
      collectGarbage(flavor);
      const held = process.memoryUsage().heapUsed;
      // A function of its own, so that no register of this one still refers to the array.
      (() => Array.from({ length: 500_000 }, (_, at) => ({ at })))();
      const before = process.memoryUsage().heapUsed;
      assert.ok(before > held);
      const had = globalThis.gc;

      collectGarbage(flavor);

      assert.ok(process.memoryUsage().heapUsed < before);
      assert.equal(globalThis.gc, had);
    });
});
