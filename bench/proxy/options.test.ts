import assert from 'node:assert/strict';
import { readOptions } from './options.js';

describe('options of the proxy benchmark', () => {
  it('measure everything in five rounds without arguments', () => {
    const { rounds, rates, only, profile, pauses } = readOptions([]) ?? {};
    assert.deepEqual([rounds, rates, only, profile], [5, ['half', 1000], [], []]);
    assert.equal(pauses, true);
  });

  it('choose fewer contenders and profiles for a quick run, unless others are named', () => {
    const quick = readOptions(['--quick']);
    assert.deepEqual(quick?.only, ['gatehouse', 'envoy-lua', 'fastify', 'haproxy']);
    assert.deepEqual([quick.profile, quick.rates, quick.pauses], [['action'], [], false]);
    assert.deepEqual(readOptions(['--quick', '--only', 'haproxy'])?.only, ['haproxy']);
  });

  it('keep the history beside the results, or in a named file', () => {
    assert.equal(readOptions(['--results', 'somewhere'])?.history, 'somewhere/history.jsonl');
    assert.equal(readOptions(['--history', 'ratios.jsonl'])?.history, 'ratios.jsonl');
  });

  it('refuse numbers that measure nothing', () => {
    assert.throws(() => readOptions(['--rounds', '0']), /--rounds takes numbers above 0/);
    assert.throws(() => readOptions(['--rates', 'half,none']), /--rates takes numbers above 0/);
    assert.deepEqual(readOptions(['--rates', ''])?.rates, []);
  });
});
