import assert from 'node:assert/strict';
import {
  cpuPerRequest,
  type Measurement,
  median,
  medianRatio,
  summarise,
  summariseLateness,
} from '../../../bench/proxy/figures.js';
import type { Outcome } from '../../../bench/proxy/job.js';

function outcomeOf(over: Partial<Outcome>): Outcome {
  return {
    replies: 1000,
    seconds: 1,
    cpuMs: 100,
    residentMb: 50,
    others: 0,
    not200: 0,
    wrong: 0,
    compared: 10,
    different: 0,
    strangers: { asked: 10, refused: 10 },
    ...over,
  };
}

function measured(contender: string, round: number, over: Partial<Outcome> = {}): Measurement {
  return { contender, round, profile: 'action', outcome: outcomeOf(over), opened: round };
}

describe('figures of the bench', () => {
  it('tells CPU time for one request, and none without requests', () => {
    assert.equal(cpuPerRequest(outcomeOf({ cpuMs: 100, replies: 1000 })), 100);
    assert.ok(Number.isNaN(cpuPerRequest(outcomeOf({ replies: 0 }))));
  });

  it('finds the middle of odd and even numbers of values', () => {
    assert.equal(median([9, 1, 4]), 4);
    assert.equal(median([9, 1, 4, 6]), 5);
    assert.equal(median([7]), 7);
    assert.ok(Number.isNaN(median([])));
  });

  it('compares within a round, never across rounds', () => {
    const mine = new Map([
      [1, 10],
      [2, 40],
      [3, 90],
    ]);
    const others = new Map([
      [1, 10],
      [2, 20],
      [4, 1],
    ]);
    assert.equal(medianRatio(mine, others), 1.5);
    assert.ok(Number.isNaN(medianRatio(mine, undefined)));
  });

  it('takes the cheapest round, the ratio in the middle and the sum of what went wrong', () => {
    const all = [
      measured('gatehouse', 1, { cpuMs: 50, wrong: 1, strangers: { asked: 10, refused: 9 } }),
      measured('gatehouse', 2, { cpuMs: 200, not200: 100 }),
      measured('haproxy', 1, { cpuMs: 100 }),
      measured('haproxy', 2, { cpuMs: 100 }),
    ];
    const [mine] = summarise(all, ['haproxy', 'usual']);
    assert.equal(mine?.cpuUs, 50);
    assert.equal(mine.ratios['haproxy'], 1.25);
    assert.ok(Number.isNaN(mine.ratios['usual']));
    assert.deepEqual([mine.wrong, mine.letIn, mine.not200, mine.opened], [1, 1, 0.05, 2]);
  });

  it('compares the p99 of a round with that of the other', () => {
    const latency = (p99: number) => ({ latency: { p50: 1, p90: 2, p99, p999: 9 } });
    const all = [measured('gatehouse', 1, latency(6)), measured('haproxy', 1, latency(4))];
    const [mine] = summariseLateness(all, 'half', ['haproxy']);
    assert.deepEqual([mine?.p99, mine?.ratios['haproxy'], mine?.rate], [6, 1.5, 'half']);
  });
});
