import assert from 'node:assert/strict';
import { chartOf } from './chart.js';
import type { Summary } from './figures.js';
import { ratio, summaryTable, tableOf } from './table.js';

function summaryOf(contender: string, cpuUs: number, haproxy: number): Summary {
  return {
    contender,
    profile: 'action',
    cpuUs: { median: cpuUs, least: cpuUs - 1, most: 2 * cpuUs },
    ratios: { haproxy: { median: haproxy, least: haproxy, most: haproxy } },
    requestsPerSecond: 1234.5,
    residentMb: 99.6,
    not200: 0.05,
    wrong: 0,
    different: 0,
    opened: 32,
    letIn: 0,
    isCold: false,
  };
}

const ALL = [summaryOf('gatehouse', 90, 2), summaryOf('haproxy', 45, 1)];

describe('the result table and chart', () => {
  it('aligns names to the left and numbers to the right', () => {
    assert.deepEqual(
      tableOf([
        ['name', 'n'],
        ['a', '100'],
      ]),
      ['name    n', 'a     100'],
    );
  });

  it('formats ratios with three digits and a missing ratio as a dash', () => {
    assert.deepEqual([1, 0.085, 14.53, Number.NaN, undefined].map(ratio), [
      '1.00x',
      '0.09x',
      '14.5x',
      '-',
      '-',
    ]);
  });

  it('lists the contender with the lowest CPU time first', () => {
    const [, first = '', second = ''] = summaryTable(ALL, ['haproxy']);
    assert.match(first, /^haproxy +45\.0 +44\.0-90\.0 +1\.00x +1235 +100 +5\.0 %/);
    assert.match(second, /^gatehouse +90\.0 +89\.0-180 +2\.00x/);
  });

  it('draws a bar for each contender in proportion to its CPU time', () => {
    const chart = chartOf(ALL, 'haproxy');
    const widths = [...chart.matchAll(/<rect class="(\w+)"[^>]* width="(\d+)"/g)].map(([, kind, width]) => [
      kind,
      Number(width),
    ]);
    assert.match(chart, />CPU time of one request, haproxy = 1</);
    assert.match(chartOf(ALL, 'usual'), />CPU time of one request</);
    assert.deepEqual(widths, [
      ['bar', 210],
      ['own', 420],
    ]);
  });
});
