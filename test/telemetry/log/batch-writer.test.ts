import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Batch, type GatedEntry } from '../../../src/telemetry/log/batch-writer.js';
import { until } from '../../support/until.js';
import type { LogLevel } from '../../../src/core/log.js';

const entry = (message: string, level: LogLevel = 'info'): GatedEntry => ({
  time: '2026-01-01T00:00:00.000Z',
  level,
  message,
  fields: {},
  limits: { console: 9, file: 9, syslog: -1, any: 9 },
});

function open(): { readonly batch: Batch; readonly handed: readonly (readonly string[])[] } {
  const handed: string[][] = [];
  const batch = new Batch((entries) => handed.push(entries.map(({ message }) => message)));
  return { batch, handed };
}

describe('a batch of log entries', () => {
  it('passes the entries of one turn of the event loop on together, in order', async () => {
    const { batch, handed } = open();
    batch.add(entry('one'));
    batch.add(entry('two'));
    assert.deepEqual(handed, []);
    await turn();
    assert.deepEqual(handed, [['one', 'two']]);
    await turn();
    assert.equal(handed.length, 1, 'nothing is handed on when nothing was said');
  });

  for (const level of ['error', 'warn'] as const)
    it(`passes an entry of level ${level} on immediately, together with the entries before it`, () => {
      const { batch, handed } = open();
      batch.add(entry('before'));
      batch.add(entry('grave', level));
      assert.deepEqual(handed, [['before', 'grave']]);
    });

  it('passes the next entries on after the minimum interval', async () => {
    const handed: string[][] = [];
    const batch = new Batch((entries) => handed.push(entries.map(({ message }) => message)), 30);
    batch.add(entry('one'));
    await turn();
    batch.add(entry('two'));
    await turn();
    batch.add(entry('three'));
    assert.deepEqual(handed, [['one']]);
    await until(() => handed.length > 1);
    assert.deepEqual(handed, [['one'], ['two', 'three']]);
  });

  it('limits the number of entries that wait within one turn', () => {
    const { batch, handed } = open();
    for (let at = 0; at < 1000; at += 1) batch.add(entry(String(at)));
    assert.deepEqual(
      handed.map(({ length }) => length),
      [256, 256, 256],
    );
    batch.flush();
    assert.equal(handed.flat().length, 1000);
  });
});
