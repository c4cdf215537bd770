import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Batch } from '../../../src/telemetry/log/output.js';
import { until } from '../../support/until.js';

function open(intervalMs?: number) {
  const batches: string[] = [];
  const lineCounts: number[] = [];
  const batch = new Batch((text, lines) => {
    batches.push(text);
    lineCounts.push(lines);
  }, intervalMs);
  return { batch, batches, lineCounts };
}

describe('a batch of log lines', () => {
  it('passes the lines of one turn of the event loop on together, in order', async () => {
    const { batch, batches, lineCounts } = open();
    batch.add('one\n', false);
    batch.add('two\n', false);
    assert.deepEqual(batches, []);
    await turn();
    assert.deepEqual([batches, lineCounts], [['one\ntwo\n'], [2]]);
    await turn();
    assert.equal(batches.length, 1, 'nothing is handed on when nothing was said');
  });

  it('passes an urgent line on immediately, together with the lines before it', () => {
    const { batch, batches, lineCounts } = open();
    batch.add('before\n', false);
    batch.add('grave\n', true);
    assert.deepEqual([batches, lineCounts], [['before\ngrave\n'], [2]]);
  });

  it('passes the next lines on after the minimum interval', async () => {
    const { batch, batches } = open(30);
    batch.add('one\n', false);
    await turn();
    batch.add('two\n', false);
    await turn();
    batch.add('three\n', false);
    assert.deepEqual(batches, ['one\n']);
    await until(() => batches.length > 1);
    assert.deepEqual(batches, ['one\n', 'two\nthree\n']);
  });

  it('limits the number of lines that wait within one turn', () => {
    const { batch, batches, lineCounts } = open();
    for (let at = 0; at < 1000; at += 1) batch.add(`${at}\n`, false);
    assert.deepEqual(lineCounts, [256, 256, 256]);
    batch.flush();
    assert.equal(batches.join('').split('\n').length, 1001);
  });
});
