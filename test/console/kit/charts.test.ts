import assert from 'node:assert/strict';
import {
  callBarsOf,
  cellAt,
  errorShareOf,
  heatPaths,
  linePath,
  niceTop,
  positionOf,
} from '../../../console/src/kit/chart-shapes.js';
import { prettyJson } from '../../../console/src/kit/json-text.js';
import {
  formatAmount,
  formatDuration,
  formatRate,
  formatShare,
  formatUptime,
} from '../../../console/src/kit/numbers.js';
import { formatSize } from '../../../console/src/text/locale.js';

describe('chart shapes', () => {
  const span = { from: 0, to: 1_200_000, cellMs: 300_000 };
  const cell = (at: number, errors = 0, p95Ms = 10) => ({
    at,
    calls: 10,
    errors,
    clientErrors: 0,
    p50Ms: 5,
    p95Ms,
  });

  it('draws a bar for each cell, at full height for cells with errors', () => {
    assert.deepEqual(heatPaths([cell(0), cell(300_000, 1, 10_000), cell(900_000, 5)], span), {
      none: 'M0 0.8h1V1h-1z',
      rejected: '',
      some: 'M1 0h1V1h-1z',
      many: 'M3 0h1V1h-1z',
    });
    const outside = heatPaths([cell(-300_000), cell(1_200_000)], span);
    assert.deepEqual(outside, { none: '', rejected: '', some: '', many: '' });
    assert.equal(errorShareOf({ calls: 0, errors: 1, clientErrors: 0 }), 'many');
  });

  it('shows rejected calls, so that a cell in which every call got status 400 does not look healthy', () => {
    const rejected = { ...cell(0), clientErrors: 10 };
    assert.equal(errorShareOf(rejected), 'rejected');
    assert.equal(errorShareOf({ ...rejected, clientErrors: 1 }), 'none');
    assert.equal(errorShareOf({ ...rejected, errors: 5, clientErrors: 5 }), 'many');
    assert.equal(heatPaths([rejected], span).rejected, 'M0 0.8h1V1h-1z');
    const bars = callBarsOf([{ ...rejected, errors: 2, clientErrors: 3 }], span, 10);
    const found = [bars.calls, bars.rejected, bars.errors];
    assert.deepEqual(found, ['M0 0h0.2V1h-0.2z', 'M0 0.5h0.2V1h-0.2z', 'M0 0.8h0.2V1h-0.2z']);
  });

  it('breaks a line where cells are missing', () => {
    const points = [0, 300_000, 900_000].map((at) => ({ at, value: 5 }));
    assert.equal(linePath(points, span, 10), 'M0 0.5L0.25 0.5L0.25 0.5L0.5 0.5M0.75 0.5L1 0.5');
  });

  it('finds the cell at the pointer', () => {
    assert.equal(cellAt([cell(300_000, 2)], span, 0.3).cell?.errors, 2);
    assert.equal(cellAt([], span, 1).cell, undefined);
    assert.equal(positionOf(2_400_000, span), 1);
  });

  it('ends a scale at a round number', () => {
    assert.deepEqual([0, 1, 3, 11, 250, 512].map(niceTop), [1, 1, 5, 20, 500, 1000]);
  });
});

describe('number and text formats', () => {
  it('format rates, durations, shares, sizes and amounts', () => {
    assert.deepEqual([0, 0.44, 12.6, 1204].map(formatRate), ['0/min', '0.4/min', '13/min', '1,204/min']);
    const durations = [null, 0.41, 87.4, 999.7, 1234, 180_000].map(formatDuration);
    assert.deepEqual(durations, ['–', '0.4 ms', '87 ms', '1 s', '1.2 s', '3 min']);
    const found = [formatShare(0, 0), formatShare(0, 5), formatShare(1, 5000), formatShare(1, 40)];
    assert.deepEqual(found, ['–', '0 %', '<0.1 %', '2.5 %']);
    assert.deepEqual([0, 512, 98_172_928].map(formatSize), ['0 B', '512 B', '93.6 MB']);
    const uptimes = [45_000, 720_000, 273_600_000, 86_400_000].map(formatUptime);
    assert.deepEqual(uptimes, ['45 s', '12 min', '3 d 4 h', '1 d']);
    assert.deepEqual([formatAmount(1, 'call'), formatAmount(2, 'entry', 'entries')], ['1 call', '2 entries']);
  });

  it('indent JSON and keep its tokens', () => {
    assert.equal(
      prettyJson('{"a":[1, 12345678901234567890],"b":{},"c":[ ],"d":"x,{\\"y\\":[]}"}'),
      '{\n  "a": [\n    1,\n    12345678901234567890\n  ],\n  "b": {},\n  "c": [],\n  "d": "x,{\\"y\\":[]}"\n}',
    );
    assert.equal(prettyJson('no json'), 'no json');
    assert.equal(prettyJson('"text"'), '"text"');
  });
});
