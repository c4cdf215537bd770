import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { LogSettings, RotationSettings } from '../../../src/settings/log.js';
import { openLog } from '../../../src/telemetry/log/open-log.js';
import { collectingStream } from '../../support/collecting-stream.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const BY_SIZE: RotationSettings = { bytes: 1024, hours: null, keep: 3, compress: false };

/** Opens a log on a file in a new folder. */
function open(rotation: RotationSettings | null, folder = temporaryFolder().path) {
  const file = join(folder, 'gatehouse.log');
  const clock = { time: START, now: () => clock.time };
  const settings: LogSettings = { level: 'info', format: 'json', file, rotation, syslog: null };
  const { stream, lines } = collectingStream();
  const opened = openLog(settings, { stream, clock });
  const names = () => readdirSync(folder).sort();
  /** Writes a line with this text, some time after the previous line. */
  const write = async (text: string, laterMs = 100): Promise<void> => {
    clock.time += laterMs;
    opened.log.info(text);
    await until(() => existsSync(file) && readFileSync(file, 'utf8').includes(text));
  };
  return { ...opened, folder, file, clock, names, write, lines };
}

const longLine = (name: string): string => `${name} `.padEnd(1000, 'x');
const messagesOf = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message.trim().split(' ')[0] ?? '');

describe('the log file', () => {
  it('begins a new line after a part of one (bug: the next line was joined to it)', async () => {
    const folder = temporaryFolder().path;
    const part = '{"time":"2026-01-02T03:04:05.678Z","level":"info","mess';
    writeFileSync(join(folder, 'gatehouse.log'), part);
    const { write, close, file } = open(null, folder);
    await write('after');
    await close();
    const [first, ...rest] = readFileSync(file, 'utf8').split('\n');
    assert.deepEqual([first, messagesOf(rest.join('\n'))], [part, ['after']]);
  });

  it('is archived when it is full, without losing a line', async () => {
    const { write, close, folder, names, file } = open(BY_SIZE);
    for (const name of ['a', 'b', 'c']) await write(longLine(name));
    await close();
    const archives = names().slice(1);
    assert.deepEqual(archives.map((name) => name.slice('gatehouse.log'.length)), ['.20260102T030405.878Z', '.20260102T030405.978Z']); // prettier-ignore
    assert.deepEqual(
      [...archives, 'gatehouse.log'].flatMap((name) => messagesOf(readFileSync(join(folder, name), 'utf8'))),
      ['a', 'b', 'c'],
    );
    assert.equal(statSync(file).mode & 0o137, 0);
  });

  it('is checked at most ten times a second', async () => {
    const { write, close, names } = open(BY_SIZE);
    await write(longLine('a'));
    for (const name of ['b', 'c']) await write(longLine(name), 10);
    await close();
    assert.deepEqual(names(), ['gatehouse.log']);
  });

  it('is archived after its hours since its latest line, also across restarts', async () => {
    const rotation: RotationSettings = { bytes: null, hours: 24, keep: 3, compress: false };
    const { folder, close, write } = open(rotation);
    await write('yesterday');
    await close();
    const setModified = (ms: number) => {
      utimesSync(join(folder, 'gatehouse.log'), ms / 1000, ms / 1000);
    };
    setModified(START - 3 * HOUR_MS);
    const same = open(rotation, folder);
    await same.write('still');
    setModified(START - 4 * HOUR_MS);
    await same.write('today');
    await same.close();
    assert.equal(same.names().length, 2);
    assert.deepEqual(messagesOf(readFileSync(same.file, 'utf8')), ['today']);
  });

  it('does not block the server if it is a pipe without a reader', async () => {
    const folder = temporaryFolder().path;
    execFileSync('mkfifo', [join(folder, 'gatehouse.log')]);
    const { log, close, lines } = open(BY_SIZE, folder);
    log.info('one');
    await until(() => lines().some((line) => line.includes('ENXIO')));
    await close();
  });

  it('is created again if it was moved away', async () => {
    const { write, close, file } = open(null);
    await write('one');
    renameSync(file, `${file}.1`);
    await write('two');
    await close();
    assert.deepEqual(messagesOf(readFileSync(`${file}.1`, 'utf8')), ['one']);
    assert.deepEqual(messagesOf(readFileSync(file, 'utf8')), ['two']);
  });

  it('is archived by only one of several processes', async () => {
    const first = open(BY_SIZE);
    const second = open(BY_SIZE, first.folder);
    await first.write(longLine('a'));
    await second.write('b');
    await first.write('c');
    second.clock.time = first.clock.time;
    await second.write('d');
    await Promise.all([first.close(), second.close()]);
    assert.equal(first.names().length, 2);
    assert.deepEqual(messagesOf(readFileSync(first.file, 'utf8')), ['c', 'd']);
  });

  it('keeps the configured number of archives, compressed except for the newest, and deletes partial files of a killed process', async () => {
    const { write, close, folder, names, file } = open({ ...BY_SIZE, compress: true });
    writeFileSync(join(folder, 'gatehouse.log.20250101T000000.000Z.gz.17.part'), 'half of it');
    writeFileSync(join(folder, 'gatehouse.log.kept'), 'somebody else’s');
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await write(longLine(name));
    await until(() => names().filter((name) => name.endsWith('.gz')).length === 2 && names().length === 5);
    await close();
    const [, first, second, third, other] = names();
    assert.match(`${String(first)} ${String(second)}`, /^\S+Z\.gz \S+Z\.gz$/);
    assert.match(String(third), /Z$/);
    assert.equal(other, 'gatehouse.log.kept');
    const text = gunzipSync(readFileSync(join(folder, String(first)))).toString();
    assert.deepEqual(messagesOf(text), ['c']);
    assert.equal(statSync(join(folder, String(first))).mode & 0o137, 0);
    assert.deepEqual(messagesOf(readFileSync(file, 'utf8')), ['f']);
  });

  it('continues to grow if it cannot be archived, which is reported once a minute (bug: again at once in the same millisecond)', async () => {
    const { write, close, folder, lines, names, clock } = open(BY_SIZE);
    await write(longLine('a'));
    for (const at of [200, 60_500]) {
      const time = new Date(START + at).toISOString().replaceAll(/[-:]/g, '');
      mkdirSync(join(folder, `gatehouse.log.${time}`));
    }
    for (const name of ['b', 'c', 'd']) await write(longLine(name));
    const reports = () => lines().filter((line) => line.includes('cannot be archived')).length;
    assert.equal(reports(), 1);
    await write(longLine('e'), START + 60_500 - clock.time);
    await close();
    assert.equal(reports(), 2);
    assert.equal(names().length, 3);
  });
});
