import assert from 'node:assert/strict';
import { readMachine, readStat } from './process-tree.js';

describe('the process tree', () => {
  it('reads parent and CPU time for any program name', () => {
    const line = '42 (a) R (b) S 7 42 42 0 -1 4194304 100 0 0 0 150 50 9 9 20 0 1 0 100 0 0';
    assert.deepEqual(readStat(line), { parent: 7, cpuMs: 2000 });
  });

  it('reads the busy time of the machine without idle and wait time, with guest time once', () => {
    assert.equal(readMachine('cpu  100 10 50 9999 777 1 2 3 100 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n'), 1660);
  });
});
