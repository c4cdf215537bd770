import assert from 'node:assert/strict';
import { readMachine, readStat } from '../../../bench/proxy/process-tree.js';

describe('the tree of processes', () => {
  it('reads parent and CPU time, whatever the program is called', () => {
    const line = '42 (a) R (b) S 7 42 42 0 -1 4194304 100 0 0 0 150 50 9 9 20 0 1 0 100 0 0';
    assert.deepEqual(readStat(line), { parent: 7, cpuMs: 2000 });
  });

  it('reads how busy the machine was: neither idle nor waiting, and guests once', () => {
    assert.equal(readMachine('cpu  100 10 50 9999 777 1 2 3 100 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n'), 1660);
  });
});
