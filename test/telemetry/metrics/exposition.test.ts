import assert from 'node:assert/strict';
import { exposition } from '../../../src/telemetry/metrics/exposition.js';
import { readExposition } from '../../support/scrape.js';

describe('exposition', () => {
  it('writes no sample for a metric without a value', () => {
    const metric = {
      name: 'token_ttl_seconds',
      help: 'What it has left.',
      type: 'gauge',
      samples: [],
    } as const;
    const { samples, families } = readExposition(exposition([metric]));
    assert.equal(samples.size, 0);
    assert.equal(families.get('token_ttl_seconds')?.type, 'gauge');
  });

  it('writes each sample with its labels', () => {
    const samples = [
      { labels: { state: 'a "quoted" one' }, value: 1 },
      { labels: { state: 'b' }, value: 0.5 },
    ];
    const text = exposition([{ name: 'states', help: 'States.', type: 'gauge', samples }]);
    assert.match(text, /^states\{state="a \\"quoted\\" one"\} 1\nstates\{state="b"\} 0\.5$/m);
  });

  it('writes cumulative histogram buckets', () => {
    const samples = [{ labels: { way: 'out' }, counts: [2, 0, 1], sum: 7.5 }];
    const histogram = {
      name: 'seconds',
      help: 'Times.',
      type: 'histogram',
      bounds: [0.5, 1],
      samples,
    } as const;
    assert.deepEqual(exposition([histogram]).split('\n'), [
      '# HELP seconds Times.',
      '# TYPE seconds histogram',
      'seconds_bucket{le="0.5",way="out"} 2',
      'seconds_bucket{le="1",way="out"} 2',
      'seconds_bucket{le="+Inf",way="out"} 3',
      'seconds_sum{way="out"} 7.5',
      'seconds_count{way="out"} 3',
      '',
    ]);
  });

  it('escapes backslashes and line feeds, and writes infinities and NaN as Prometheus reads them', () => {
    const samples = [
      { labels: { path: 'a\\b\nc' }, value: Infinity },
      { labels: {}, value: -Infinity },
      { labels: { of: 'nothing' }, value: NaN },
    ];
    const text = exposition([{ name: 'odd', help: 'One \\ \n two.', type: 'gauge', samples }]);
    assert.deepEqual(text.split('\n').slice(0, -1), [
      '# HELP odd One \\\\ \\n two.',
      '# TYPE odd gauge',
      'odd{path="a\\\\b\\nc"} +Inf',
      'odd -Inf',
      'odd{of="nothing"} NaN',
    ]);
  });
});
