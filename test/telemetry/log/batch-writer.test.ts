import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { LogLevel } from '../../../src/core/log.js';
import { Batch, type GatedEntry } from '../../../src/telemetry/log/batch-writer.js';
import { column } from '../../support/columns.js';
import { until } from '../../support/until.js';

const entry = (message: string, level: LogLevel = 'info'): GatedEntry => ({
  time: '2026-01-01T00:00:00.000Z',
  level,
  message,
  fields: {},
  limits: { console: 9, file: 9, syslog: -1, any: 9 },
});

function open(): { readonly batch: Batch; readonly passedBatches: readonly (readonly string[])[] } {
  const passedBatches: string[][] = [];
  const batch = new Batch((entries) => passedBatches.push(entries.map(({ message }) => message)));
  return { batch, passedBatches };
}

describe('a batch of log entries', () => {
  it('passes the entries of one turn of the event loop on together, in order', async () => {
    const { batch, passedBatches } = open();
    batch.add(entry('one'));
    batch.add(entry('two'));
    assert.deepEqual(passedBatches, []);
    await turn();
    assert.deepEqual(passedBatches, [['one', 'two']]);
    await turn();
    assert.equal(passedBatches.length, 1, 'nothing is handed on when nothing was said');
  });

  for (const level of ['error', 'warn'] as const)
    it(`passes an entry of level ${level} on immediately, together with the entries before it`, () => {
      const { batch, passedBatches } = open();
      batch.add(entry('before'));
      batch.add(entry('grave', level));
      assert.deepEqual(passedBatches, [['before', 'grave']]);
    });

  it('passes the next entries on after the minimum interval', async () => {
    const passedBatches: string[][] = [];
    const batch = new Batch((entries) => passedBatches.push(entries.map(({ message }) => message)), 30);
    batch.add(entry('one'));
    await turn();
    batch.add(entry('two'));
    await turn();
    batch.add(entry('three'));
    assert.deepEqual(passedBatches, [['one']]);
    await until(() => passedBatches.length > 1);
    assert.deepEqual(passedBatches, [['one'], ['two', 'three']]);
  });

  it('limits the number of entries that wait within one turn', () => {
    const { batch, passedBatches } = open();
    for (let at = 0; at < 1000; at += 1) batch.add(entry(String(at)));
    assert.deepEqual(column(passedBatches, 'length'), [256, 256, 256]);
    batch.flush();
    assert.equal(passedBatches.flat().length, 1000);
  });
});
