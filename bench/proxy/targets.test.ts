import assert from 'node:assert/strict';
import { isMet } from '../figure.js';
import type { Lateness, Summary } from './figures.js';
import { targetFigures, targetTable } from './targets.js';

const steady = (median: number) => ({ median, least: median - 0.01, most: median + 0.01 });

function summaryOf(contender: string, over: Partial<Summary> = {}): Summary {
  return {
    contender,
    profile: 'action',
    cpuUs: steady(50),
    ratios: {},
    requestsPerSecond: 1000,
    residentMb: 100,
    not200: 0,
    wrong: 0,
    different: 0,
    opened: 32,
    letIn: 0,
    isCold: false,
    ...over,
  };
}

function latenessOf(rate: string, p50: number, p99: number): Lateness {
  const ratios = (value: number) => ({ haproxy: steady(value), 'envoy-lua': steady(value / 2) });
  const quantiles = { p50: 1, p90: 1, p99: 1, p999: 1 };
  return {
    ...quantiles,
    contender: 'gatehouse',
    rate,
    cpuUs: 50,
    ratios: { p50: ratios(p50), p99: ratios(p99) },
    wrong: 0,
  };
}

describe('targetFigures', () => {
  it('evaluates the CPU time of the small action beside each contender, Envoy with Lua first', () => {
    const ratios = {
      haproxy: steady(1.7),
      'envoy-lua': steady(1),
      fastify: steady(0.71),
      usual: steady(0.1),
      caddy: steady(0.8),
      traefik: steady(1.1),
    };
    const others = [summaryOf('gatehouse', { profile: 'query', ratios: { usual: steady(9) } })];
    const figures = targetFigures({
      summaries: [...others, summaryOf('gatehouse', { ratios }), summaryOf('haproxy', { ratios })],
      lateness: [],
      abandoned: { gatehouse: { arrived: 20, missing: 0, held: 0 } },
    });
    assert.deepEqual(
      figures.map((figure) => [figure.what, figure.median, isMet(figure)]),
      [
        ['CPU to Envoy with Lua', 1, true],
        ['CPU to @fastify/http-proxy', 0.71, false],
        ['CPU to Caddy', 0.8, true],
        ['CPU to Traefik', 1.1, false],
        ['CPU to HAProxy (stretch)', 1.7, false],
        ['CPU to the usual recipe', 0.1, true],
        ['answers that were not right', 0, true],
        ['calls that never arrived, of callers who left', 0, true],
        ['calls held after their callers left', 0, true],
      ],
    );
  });

  it('evaluates median and p99 at both rates, with a target beside HAProxy alone', () => {
    const lateness = [latenessOf('half', 1.4, 1.6), latenessOf('1000', 1.5, 4)];
    const figures = targetFigures({ summaries: [], lateness, abandoned: {} });
    assert.deepEqual(
      figures.map((figure) => [figure.what, figure.median, figure.target !== undefined, isMet(figure)]),
      [
        ['p50 at 1,000/s to Envoy with Lua', 0.75, false, true],
        ['p99 at 1,000/s to Envoy with Lua', 2, false, true],
        ['p50 at half of capacity to Envoy with Lua', 0.7, false, true],
        ['p99 at half of capacity to Envoy with Lua', 0.8, false, true],
        ['p50 at 1,000/s to HAProxy', 1.5, true, true],
        ['p99 at 1,000/s to HAProxy', 4, true, false],
        ['p50 at half of capacity to HAProxy', 1.4, true, true],
        ['p99 at half of capacity to HAProxy', 1.6, true, false],
        ['answers that were not right', 0, true, true],
      ],
    );
  });

  it('reports a miss for a single wrong reply', () => {
    const one = (over: Partial<Summary>) =>
      targetFigures({ summaries: [summaryOf('gatehouse', over)], lateness: [], abandoned: {} }).at(-1);
    for (const over of [{ wrong: 1 }, { different: 1 }, { letIn: 1 }])
      assert.deepEqual([one(over)?.what, one(over)?.median], ['answers that were not right', 1]);
  });

  it('leaves out the replies of another build', () => {
    const summaries = [
      summaryOf('gatehouse-express', { wrong: 1 }),
      summaryOf('gatehouse-beside', { wrong: 2 }),
    ];
    assert.equal(targetFigures({ summaries, lateness: [], abandoned: {} }).at(-1)?.median, 1);
  });

  it('omits figures that could not be compared', () => {
    const figures = targetFigures({ summaries: [summaryOf('gatehouse')], lateness: [], abandoned: {} });
    assert.deepEqual(
      figures.map(({ what }) => what),
      ['answers that were not right'],
    );
  });
});

describe('targetTable', () => {
  it('shows the noise beside each ratio, and the verdict of its median', () => {
    const summaries = [summaryOf('gatehouse', { ratios: { fastify: steady(0.71) }, wrong: 2 })];
    const [, fastify = '', wrong = ''] = targetTable(
      targetFigures({ summaries, lateness: [], abandoned: {} }),
    );
    assert.match(fastify, /^CPU to @fastify\/http-proxy +0\.71x +0\.70x-0\.72x +<= 0\.7 +MISSED$/);
    assert.match(wrong, /^answers that were not right +2 +<= 0 +MISSED$/);
  });
});
