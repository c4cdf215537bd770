import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  createStuckLoopMeter,
  cpuMsOf,
  readMainThreadCpuMs,
} from '../../../src/server/watchdog/stuck-loop.js';
import { LINUX } from '../../support/need-list.js';
import { itWith } from '../../support/needs.js';

/** Returns the results of readings, each with a beat and the CPU time used so far. */
function measureAll(readings: readonly (readonly [beat: number, cpuMs: number])[]): readonly number[] {
  const measure = createStuckLoopMeter();
  return readings.map(([beat, cpuMs]) => measure({ beat, readCpuMs: () => cpuMs }));
}

describe('createStuckLoopMeter', () => {
  it('returns the CPU time since the last beat of a loop that is stuck', () => {
    assert.deepEqual(
      measureAll([
        [1, 100],
        [1, 600],
        [1, 1100],
        [1, 1600],
      ]),
      [0, 0, 500, 1000],
    );
  });

  it('returns 0 for a busy loop that beats', () => {
    assert.deepEqual(
      measureAll([
        [1, 500],
        [2, 1000],
        [3, 1500],
      ]),
      [0, 0, 0],
    );
  });

  it('returns 0 for a process that was stopped, suspended or paused, or that waits: it uses no CPU time', () => {
    const readings = Array.from({ length: 1000 }, () => [7, 1234] as const);
    assert.ok(measureAll(readings).every((cpuMs) => cpuMs === 0));
  });

  it('counts only the CPU time that a starved loop receives', () => {
    // 100 readings of 500 ms, in which the loop received 1 % of a processor.
    const readings = Array.from({ length: 101 }, (_, at) => [7, at * 5] as const);
    assert.equal(measureAll(readings).at(-1), 495);
  });

  it('begins anew after each beat, and does not read the CPU time while the loop beats', () => {
    const measure = createStuckLoopMeter();
    let reads = 0;
    const at = (beat: number, cpuMs: number): number =>
      measure({
        beat,
        readCpuMs: () => {
          reads += 1;
          return cpuMs;
        },
      });
    assert.deepEqual(
      [at(1, 0), at(1, 0), at(1, 900), at(2, 900), at(2, 2000), at(2, 2100)],
      [0, 0, 900, 0, 0, 100],
    );
    assert.equal(reads, 4);
  });
});

describe('cpuMsOf', () => {
  it('reads user and system time after a program name with blanks and parentheses', () => {
    const stat = '42 (node (a) b) R 1 42 42 0 -1 4194304 900 0 1 0 250 50 7 8 20 0 11 0 999';
    assert.equal(cpuMsOf(stat), 3000);
  });

  it('throws for another format', () => {
    assert.throws(() => cpuMsOf('42 (node) R 1'), /unknown format/);
  });

  itWith(LINUX, 'reads the file of Linux', () => {
    const own = cpuMsOf(readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1'));
    assert.ok(own > 0 && readMainThreadCpuMs() >= own);
  });
});
