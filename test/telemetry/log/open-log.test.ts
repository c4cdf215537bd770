import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LOG_LEVELS, type LogFields, type LogLevel } from '../../../src/core/log.js';
import { Secret } from '../../../src/core/secret.js';
import { openLog } from '../../../src/telemetry/log/open-log.js';
import { anyText } from '../../support/any-text.js';
import { collectingStream } from '../../support/collecting-stream.js';

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) };

function open(level: LogLevel = 'info', format: 'auto' | 'json' | 'pretty' = 'json', tty = false) {
  const { stream, lines } = collectingStream();
  const opened = openLog(
    { level, format, file: null, rotation: null, syslog: null },
    { stream: Object.assign(stream, { isTTY: tty }), clock },
  );
  const closedLines = async (): Promise<readonly string[]> => {
    await opened.close();
    return lines();
  };
  return { ...opened, closedLines };
}

/** Returns the parsed line of one call. */
async function writtenEntry(
  message: string,
  fields?: LogFields,
  level: LogLevel = 'info',
): Promise<LogFields> {
  const { log, closedLines } = open();
  log[level](message, fields);
  const [line, ...rest] = await closedLines();
  assert.deepEqual(rest, []);
  return JSON.parse(line!) as LogFields;
}

describe('the log', () => {
  it('writes one JSON object per line', async () => {
    const fields = { adapter: 'nso1', attempt: 2, ok: true, none: null };
    const head = { time: '2026-01-02T03:04:05.678Z', level: 'info', message: 'adapter started' };
    assert.deepEqual(await writtenEntry('adapter started', fields), { ...head, ...fields });
  });

  it('renames fields that are named like its own keys', async () => {
    const entry = await writtenEntry('m', { level: 'x', message: 'y', time: 'z', ['__proto__']: 'p' });
    assert.equal(entry['message'], 'm');
    assert.deepEqual([entry['level_'], entry['message_'], entry['time_']], ['x', 'y', 'z']);
    assert.equal(Object.getOwnPropertyDescriptor(entry, '__proto__')?.value, 'p');
  });

  for (const [rank, level] of LOG_LEVELS.entries()) {
    it(`writes at level ${level} only the entries of that level and more severe levels`, async () => {
      const { log, closedLines } = open(level);
      for (const entryLevel of LOG_LEVELS) log[entryLevel]('said');
      const levels = (await closedLines()).map((line) => (JSON.parse(line) as LogFields)['level']);
      assert.deepEqual(levels, LOG_LEVELS.slice(0, rank + 1));
    });
  }

  it('passes fields on to child logs, which may override them', async () => {
    const { log, closedLines } = open();
    log.with({ a: 1, b: 1, c: 1 }).with({ b: 2, c: 2 }).info('m', { c: 3 });
    const [line] = await closedLines();
    const { a, b, c } = JSON.parse(line!) as LogFields;
    assert.deepEqual([a, b, c], [1, 2, 3]);
  });

  it('ignores entries after close()', async () => {
    const { log, close, closedLines } = open();
    await close();
    log.error('late');
    assert.deepEqual(await closedLines(), []);
  });

  for (const [tty, start] of [
    [true, /^\d{4}-\S+ /],
    [false, /^\{"time":/],
  ] as const)
    it(`writes ${tty ? 'pretty to a terminal' : 'JSON to another output'} in the automatic format`, async () => {
      const { log, closedLines } = open('info', 'auto', tty);
      log.info('started');
      assert.match((await closedLines()).join(''), start);
    });

  describe('in the pretty format', () => {
    it('writes time, level, message and fields', async () => {
      const { log, closedLines } = open('info', 'pretty');
      log.warn('adapter is slow', { adapter: 'nso1', ms: 12, why: 'two words', deep: { a: [1] } });
      assert.deepEqual(await closedLines(), [
        '2026-01-02T03:04:05.678Z WARN  adapter is slow adapter=nso1 ms=12 why="two words" deep={"a":[1]}',
      ]);
    });

    it('uses colors only on a terminal', async () => {
      for (const tty of [true, false]) {
        const { log, closedLines } = open('info', 'pretty', tty);
        log.error('m');
        assert.equal((await closedLines())[0]?.includes('\x1b[31mERROR\x1b[0m'), tty);
      }
    });

    it('writes one line without control characters', async () => {
      const { log, closedLines } = open('info', 'pretty');
      log.info('a\r\nb\x1b[2J\u2028c\u202e', { 'k\n': 'v\n\u009b2J' });
      const lines = await closedLines();
      assert.equal(lines.length, 1);
      assert.doesNotMatch(lines[0]!, /[\0-\x1f\x7f-\x9f\u2028\u2029\u202e]/);
    });
  });

  it('writes exactly one line of valid JSON for any message and fields (property)', async () => {
    const anything = fc.anything({
      ...{
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        maxDepth: 5,
      },
      ...{ withNullPrototype: true, withSparseArray: true, withObjectString: true },
    });
    const odd = fc.constantFrom('\r\n', '\u2028', '\u2029', '\x1b[31m', '"}\n{"', '\ud800');
    const text = fc.oneof(anyText(), odd);
    const fields = fc.dictionary(text, fc.oneof(anything, text), { maxKeys: 8 });
    const property = fc.asyncProperty(
      text,
      fields,
      fc.constantFrom(...LOG_LEVELS),
      async (message, attributes, level) => {
        const { log, closedLines } = open('spam');
        log.with(attributes)[level](message, attributes);
        const lines = await closedLines();
        assert.equal(lines.length, 1);
        assert.doesNotMatch(lines[0]!, /[\0-\x1f\x7f-\x9f\u2028\u2029]/);
        const entry = JSON.parse(lines[0]!) as LogFields;
        assert.equal(entry['level'], level);
        assert.equal(typeof entry['message'], 'string');
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });

  it('keeps secrets out of fields and inside strings', async () => {
    const secretText = 'c4n4ry-s3cr3t-v4lu3';
    const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.${secretText}`;
    const { log, closedLines } = open('spam');
    const carriers: LogFields = {
      kept: new Secret(secretText),
      deep: [{ Authorization: `Bearer ${secretText}`, 'set-cookie': [secretText], 'X-Api-Key': secretText }],
      clientSecret: secretText,
      private_key: secretText,
      text: `curl -H "Authorization: Basic ${secretText}" https://u:${secretText}@host/?access_token=${secretText}&x=1`,
      json: `{"password": "two words ${secretText}", "user": "u"}`,
      raw: ['X-Api-Key', secretText, 'cookie', secretText],
      map: new Map([['password', secretText]]),
      url: new URL(`https://user:${secretText}@host.example/`),
      error: Object.assign(new Error(`refused bearer ${secretText}`), {
        config: { headers: { a: secretText } },
      }),
      cause: new Error('outer', { cause: new Error(jwt) }),
      pem: `-----BEGIN PRIVATE KEY-----\n${secretText}\n-----END PRIVATE KEY-----`,
      vault: `hvs.${secretText}`,
      [`token=${secretText}`]: 1,
    };
    for (const level of LOG_LEVELS)
      log.with(carriers)[level](`sent Bearer ${secretText} and ${jwt}`, carriers);
    const lines = await closedLines();
    assert.equal(lines.length, LOG_LEVELS.length);
    for (const line of lines) assert.ok(!line.includes(secretText), line);
    const entry = JSON.parse(lines[0]!) as LogFields;
    assert.equal(entry['kept'], '[secret]');
    assert.equal(entry['clientSecret'], '[redacted]');
    assert.match(String(entry['json']), /"user": "u"/);
  });

  it('writes errors with their code and causes, and at level error with their stack', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const error = new TypeError('no answer', { cause });
    const withoutStack = { name: 'TypeError', message: 'no answer' };
    const causeWithoutStack = { name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' };
    const expected = { ...withoutStack, cause: causeWithoutStack };
    assert.deepEqual((await writtenEntry('m', { error }, 'info'))['error'], expected);
    const withStack = (await writtenEntry('m', { error }, 'error'))['error'] as LogFields;
    assert.match(String(withStack['stack']), /^TypeError: no answer\n +at /);
  });
});
