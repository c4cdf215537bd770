import assert from 'node:assert/strict';
import { isMet } from '../../../bench/figure.js';
import type { Summary } from '../../../bench/proxy/figures.js';
import { targetFigures } from '../../../bench/proxy/targets.js';

function summaryOf(contender: string, over: Partial<Summary> = {}): Summary {
  return {
    contender,
    profile: 'action',
    cpuUs: 50,
    ratios: { haproxy: 0.9, usual: 0.05 },
    requestsPerSecond: 1000,
    residentMb: 100,
    not200: 0,
    wrong: 0,
    different: 0,
    opened: 32,
    letIn: 0,
    ...over,
  };
}

describe('targetFigures', () => {
  it('evaluates the small action and the latency at half of the capacity', () => {
    const late = { contender: 'gatehouse', rate: 'half', ratios: { haproxy: 2 }, wrong: 0 };
    const figures = targetFigures({
      summaries: [summaryOf('gatehouse'), summaryOf('gatehouse-express', { ratios: { haproxy: 2.1 } })],
      lateness: [{ ...late, p50: 1, p90: 1, p99: 1, p999: 1 }],
      abandoned: { gatehouse: { arrived: 20, held: 0 } },
    });
    assert.deepEqual(figures.map(isMet), [true, false, true, false, true, true]);
  });

  it('reports a miss for a single wrong reply', () => {
    const one = (over: Partial<Summary>) =>
      targetFigures({ summaries: [summaryOf('gatehouse', over)], lateness: [], abandoned: {} }).at(-1);
    for (const over of [{ wrong: 1 }, { different: 1 }, { letIn: 1 }])
      assert.deepEqual([one(over)?.what, one(over)?.median], ['answers that were not right', 1]);
  });

  it('omits figures that could not be compared', () => {
    const summaries = [summaryOf('gatehouse', { ratios: { haproxy: Number.NaN } })];
    const figures = targetFigures({ summaries, lateness: [], abandoned: {} });
    assert.deepEqual(
      figures.map(({ what }) => what),
      ['answers that were not right'],
    );
  });
});
