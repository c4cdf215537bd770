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

function measurementOf(contender: string, round: number, over: Partial<Outcome> = {}): Measurement {
  return { contender, round, profile: 'action', outcome: outcomeOf(over), opened: round };
}

describe('figures of the proxy benchmark', () => {
  it('compute CPU time per request, and NaN without requests', () => {
    assert.equal(cpuPerRequest(outcomeOf({ cpuMs: 100, replies: 1000 })), 100);
    assert.ok(Number.isNaN(cpuPerRequest(outcomeOf({ replies: 0 }))));
  });

  it('compute the median of odd and even numbers of values', () => {
    assert.equal(median([9, 1, 4]), 4);
    assert.equal(median([9, 1, 4, 6]), 5);
    assert.equal(median([7]), 7);
    assert.ok(Number.isNaN(median([])));
  });

  it('compare values within a round, never across rounds', () => {
    const own = new Map([
      [1, 10],
      [2, 40],
      [3, 90],
    ]);
    const others = new Map([
      [1, 10],
      [2, 20],
      [4, 1],
    ]);
    assert.equal(medianRatio(own, others), 1.5);
    assert.ok(Number.isNaN(medianRatio(own, undefined)));
  });

  it('summarize the lowest CPU time, the median ratio and the sum of errors', () => {
    const all = [
      measurementOf('gatehouse', 1, { cpuMs: 50, wrong: 1, strangers: { asked: 10, refused: 9 } }),
      measurementOf('gatehouse', 2, { cpuMs: 200, not200: 100 }),
      measurementOf('haproxy', 1, { cpuMs: 100 }),
      measurementOf('haproxy', 2, { cpuMs: 100 }),
    ];
    const [own] = summarise(all, ['haproxy', 'usual']);
    assert.equal(own?.cpuUs, 50);
    assert.equal(own.ratios['haproxy'], 1.25);
    assert.ok(Number.isNaN(own.ratios['usual']));
    assert.deepEqual([own.wrong, own.letIn, own.not200, own.opened], [1, 1, 0.05, 2]);
  });

  it('compare the p99 of two contenders within a round', () => {
    const latency = (p99: number) => ({ latency: { p50: 1, p90: 2, p99, p999: 9 } });
    const all = [measurementOf('gatehouse', 1, latency(6)), measurementOf('haproxy', 1, latency(4))];
    const [own] = summariseLateness(all, 'half', ['haproxy']);
    assert.deepEqual([own?.p99, own?.ratios['haproxy'], own?.rate], [6, 1.5, 'half']);
  });
});
