import assert from 'node:assert/strict';
import { cpuPerRequest, type Measurement, summarise, summariseLateness } from './figures.js';
import type { Outcome } from './job.js';

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

  it('summarize the median with the least and the most, the ratios within rounds and the sum of errors', () => {
    const all = [
      measurementOf('gatehouse', 1, { cpuMs: 50, wrong: 1, strangers: { asked: 10, refused: 9 } }),
      measurementOf('gatehouse', 2, { cpuMs: 200, not200: 150 }),
      measurementOf('gatehouse', 3, { cpuMs: 100 }),
      measurementOf('haproxy', 1, { cpuMs: 100, isCold: true }),
      measurementOf('haproxy', 2, { cpuMs: 100 }),
      measurementOf('haproxy', 3, { cpuMs: 50 }),
      measurementOf('late', 9, { cpuMs: 50 }),
    ];
    const [own, haproxy] = summarise(all);
    assert.deepEqual(own?.cpuUs, { median: 100, least: 50, most: 200 });
    assert.deepEqual(own.ratios, {
      gatehouse: { median: 1, least: 1, most: 1 },
      haproxy: { median: 2, least: 0.5, most: 2 },
    });
    assert.deepEqual([own.wrong, own.letIn, own.not200, own.opened], [1, 1, 0.05, 3]);
    assert.deepEqual([own.isCold, haproxy?.isCold], [false, true]);
  });

  it('compare median and p99 of two contenders within a round', () => {
    const latency = (p50: number, p99: number) => ({ latency: { p50, p90: 2, p99, p999: 9 } });
    const all = [
      measurementOf('gatehouse', 1, { ...latency(3, 6), cpuMs: 70 }),
      measurementOf('haproxy', 1, latency(1, 4)),
    ];
    const [own] = summariseLateness(all, 'half');
    assert.deepEqual([own?.p99, own?.rate, own?.cpuUs], [6, 'half', 70]);
    assert.deepEqual(own?.ratios.p50['haproxy'], { median: 3, least: 3, most: 3 });
    assert.equal(own.ratios.p99['haproxy']?.median, 1.5);
  });
});
