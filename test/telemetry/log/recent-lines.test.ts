import assert from 'node:assert/strict';
import type { LogLevel } from '../../../src/core/log.js';
import { openLog } from '../../../src/telemetry/log/open-log.js';
import { createRecentLines } from '../../../src/telemetry/log/recent-lines.js';
import { createRedactor } from '../../../src/telemetry/log/redactor.js';
import { collectingStream } from '../../support/collecting-stream.js';
import { column, columns } from '../../support/columns.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const ALL_LINES = { level: 'spam', after: 0, most: 5_000 } as const;
const LINE = { time: '2026-01-01T00:00:00.000Z', level: 'info', message: 'call' } as const;

function linesOf(levels: readonly LogLevel[], text = '') {
  const recent = createRecentLines();
  levels.forEach((level, at) => {
    recent.keep({ ...LINE, level, message: `line ${at}`, fields: { text } });
  });
  return recent;
}

describe('createRecentLines', () => {
  it('returns the written lines, filtered by adapter and level, without secrets', async () => {
    const recent = createRecentLines();
    const redactor = createRedactor(createFakeScheduler());
    redactor.add(['hunter2-hunter2']);
    const { stream } = collectingStream();
    const open = openLog(
      { level: 'info', format: 'json', file: null, rotation: null, syslog: null },
      { stream, redactor, keep: recent.keep },
    );
    open.log.with({ adapter: 'nso1' }).warn('it said hunter2-hunter2', { reply: ['hunter2-hunter2'] });
    open.log.info('about nobody', { password: 'x' });
    open.log.debug('not written');
    await open.close();
    const { lines } = recent.find(ALL_LINES);
    assert.deepEqual(columns(lines, 'id', 'level', 'message', 'fields'), [
      [1, 'warn', 'it said [redacted]', { adapter: 'nso1', reply: ['[redacted]'] }],
      [2, 'info', 'about nobody', { password: '[redacted]' }],
    ]);
    assert.deepEqual(column(recent.find({ ...ALL_LINES, adapter: 'nso1' }).lines, 'id'), [1]);
    assert.deepEqual(column(recent.find({ ...ALL_LINES, level: 'warn' }).lines, 'id'), [1]);
  });

  it('keeps errors longer than other lines', () => {
    const recent = linesOf(['error', ...Array<LogLevel>(3_000).fill('info')]);
    const { lines, latest } = recent.find(ALL_LINES);
    assert.deepEqual([lines.length, lines[0]?.id, lines[1]?.id, latest], [1_001, 1, 2_002, 3_001]);
  });

  it('returns the lines after a position, and reports whether lines were missed', () => {
    const recent = linesOf(Array<LogLevel>(1_500).fill('info'));
    const { lines, missed, latest } = recent.find({ ...ALL_LINES, after: 1_490 });
    assert.deepEqual([lines.length, missed, latest], [10, false, 1_500]);
    assert.equal(recent.find({ ...ALL_LINES, after: 10 }).missed, true);
    const actual = column(recent.find({ ...ALL_LINES, after: 1_490, most: 5 }).lines, 'id');
    assert.deepEqual(actual, [1_496, 1_497, 1_498, 1_499, 1_500]);
    assert.equal(recent.find({ ...ALL_LINES, after: 1_490, most: 5 }).missed, true);
    // A position of another process.
    const values = [recent.find({ ...ALL_LINES, after: 9_999 }).missed, recent.find(ALL_LINES).missed];
    assert.deepEqual(values, [true, false]);
  });

  it('limits the kept lines to half a megabyte', () => {
    const recent = linesOf(Array<LogLevel>(900).fill('info'), 'x'.repeat(8_000));
    const { lines } = recent.find(ALL_LINES);
    assert.ok(lines.length > 50 && lines.length < 70, `${lines.length} lines`);
    assert.equal(lines.at(-1)?.id, 900);
  });

  /** Keeps some lines of each adapter, and counts those that are left. */
  function keepLinesOf(adapters: readonly string[], times: number, recent = createRecentLines()) {
    for (const adapter of adapters)
      for (let at = 0; at < times; at += 1) recent.keep({ ...LINE, fields: { adapter } });
    const count = (adapter: string) => recent.find({ ...ALL_LINES, adapter }).lines.length;
    return { recent, count, counts: () => new Set(adapters.map(count)) };
  }
  const edges = (length: number) => Array.from({ length }, (_, at) => `edge${at}`);

  it('keeps the lines of a quiet adapter while a busy one writes thousands', () => {
    const { recent } = keepLinesOf(['quiet'], 1);
    const { count } = keepLinesOf(['busy'], 3_000, recent);
    assert.deepEqual([count('quiet'), count('busy'), count('unknown')], [1, 1_000, 0]);
  });

  it('shares the lines among 2,000 adapters, so that the total stays bounded', () => {
    const recent = createRecentLines();
    for (let round = 0; round < 59; round += 1) keepLinesOf(edges(2_000), 1, recent);
    assert.deepEqual(keepLinesOf(edges(2_000), 1, recent).counts(), new Set([20]));
  });

  it('takes lines from adapters that are quiet or removed (five times the limit was kept)', () => {
    assert.deepEqual(keepLinesOf(edges(400), 1_000).counts(), new Set([100]));
  });

  it('leaves out the access lines of the console, which reads the log (D5: they displaced all others)', () => {
    const recent = createRecentLines();
    for (const path of ['/console/log', '/adapters'])
      recent.keep({ ...LINE, message: 'request', fields: { path } });
    const found = recent.find(ALL_LINES).lines.map(({ fields }) => fields['path']);
    assert.deepEqual(found, ['/adapters']);
  });
});
