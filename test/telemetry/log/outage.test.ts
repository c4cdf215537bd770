import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { LogSettings } from '../../../src/settings/log.js';
import { openLog } from '../../../src/telemetry/log/open-log.js';
import { collectingStream } from '../../support/collecting-stream.js';
import { column } from '../../support/columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const JSON_LOG = { level: 'info', format: 'json', rotation: null, syslog: null } as const;
const json = (file: string | null): LogSettings => ({ ...JSON_LOG, file });
const parse = (line: string): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>;
const entriesOf = (file: string): readonly Record<string, unknown>[] =>
  readFileSync(file, 'utf8').split('\n').slice(0, -1).map(parse);

describe('a log whose output fails', () => {
  const folder = temporaryFolder();
  const script = fileURLToPath(new URL('noisy-child.js', import.meta.url));

  it('does not end the process when the reader of stdout is gone', async () => {
    const file = join(folder.path, 'gone.log');
    const child = spawn(process.execPath, [script, file], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdout.destroy();
    child.stdin.end('go\n');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    const entries = entriesOf(file);
    assert.equal(entries.filter(({ message }) => message === 'line').length, 1000);
    const reports = entries.filter(({ level }) => level === 'error');
    assert.equal(reports.length, 1);
    assert.equal(reports[0]?.['output'], 'console');
    assert.equal((reports[0]['error'] as { code: string }).code, 'EPIPE');
  });

  it('does not end the process when stdout goes to a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const file = join(folder.path, 'full.log');
    const child = spawn(process.execPath, [script, file], { stdio: ['pipe', full, 'ignore'] });
    closeSync(full);
    child.stdin?.end('go\n');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    assert.match(readFileSync(file, 'utf8'), /ENOSPC/);
  });

  it('counts the lines that the console loses, and reports them once it recovers', async () => {
    const output = stdoutDouble();
    let now = 0;
    const { log, close } = openLog(json(null), { stream: output.stream, clock: { now: () => now } });
    output.broken = true;
    log.info('first');
    // The first line fails; the report of that failure and the second line are dropped.
    await until(() => output.failures === 1);
    log.info('second');
    await new Promise((resolve) => setImmediate(resolve));
    output.broken = false;
    now = 1000;
    log.info('third');
    await close();
    assert.deepEqual(
      output.written.join('').trimEnd().split('\n').map(parse),
      [
        { level: 'warn', message: 'log lines were dropped', lines: 3 },
        { level: 'info', message: 'third' },
      ].map((entry) => ({ time: '1970-01-01T00:00:01.000Z', ...entry })),
    );
  });

  it('limits the lines that wait for a stalled reader', async () => {
    const stream = new Writable({ write: () => undefined });
    const { log, close } = openLog(json(null), { stream });
    for (let at = 0; at < 1200; at += 1) {
      log.info('x'.repeat(8000));
      if (at % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await close();
    assert.ok(stream.writableLength > 4 * 1024 * 1024);
    assert.ok(stream.writableLength < 5 * 1024 * 1024);
  });

  it('creates the file and its folder, and appends to an existing file', async () => {
    const file = join(folder.path, 'new', 'folder', 'gatehouse.log');
    for (const message of ['one', 'two']) {
      const { log, close } = openLog(json(file), { stream: collectingStream().stream });
      log.info(message);
      await close();
    }
    assert.deepEqual(column(entriesOf(file), 'message'), ['one', 'two']);
    // The umask may remove permissions, but never adds any.
    assert.equal(statSync(file).mode & 0o137, 0);
  });

  it('reports a file that cannot be written once, on the console, and retries', async () => {
    const file = join(folder.path, 'device.log');
    symlinkSync('/dev/full', file);
    let now = 0;
    const { stream, lines } = collectingStream();
    const { log, close } = openLog(json(file), { stream, clock: { now: () => now } });
    const reports = (): readonly string[] => lines().filter((line) => line.includes('ENOSPC'));
    log.info('one');
    await until(() => reports().length === 1);

    rmSync(file);
    await until(() => {
      now += 1000;
      log.info('again');
      return existsSync(file) && entriesOf(file).length > 0;
    });
    await close();
    const [first, second] = entriesOf(file);
    assert.equal(first?.['message'], 'log lines were dropped');
    assert.equal(second?.['message'], 'again');
    assert.equal(reports().length, 1);
  });

  it('survives a file that cannot be opened', async () => {
    const { stream, lines } = collectingStream();
    const { log, close } = openLog(json(folder.path), { stream });
    log.info('one');
    await until(() => lines().some((line) => line.includes('EISDIR')));
    await close();
    assert.equal(lines().length, 2);
  });
});

/**
 * Creates a stream like stdout: a failed write calls back and emits `error`, and the next write may succeed.
 */
function stdoutDouble() {
  const output = { broken: false, failures: 0, written: [] as string[] };
  const events = new EventEmitter();
  const write = (text: string, done: (error?: Error) => void): boolean => {
    setImmediate(() => {
      if (!output.broken) {
        output.written.push(text);
        done();
        return;
      }
      output.failures += 1;
      const error = new Error('write EPIPE');
      done(error);
      events.emit('error', error);
    });
    return true;
  };
  const stream = Object.assign(events, { writable: true, write }) as unknown as NodeJS.WritableStream;
  return Object.assign(output, { stream });
}
