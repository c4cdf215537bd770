import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LogFields } from '../../../src/core/log.js';
import { encodingsOf } from '../../../src/core/secret-patterns.js';
import { maskText } from '../../../src/lib/mask-text.js';
import { SHORTEST } from '../../../src/lib/pattern-index.js';
import { openLog } from '../../../src/telemetry/log/open-log.js';
import { createRedactor } from '../../../src/telemetry/log/redactor.js';
import { ROOT } from '../../docs/markdown.js';
import { collectingStream } from '../../support/collecting-stream.js';
import { findCanary } from '../../support/secret-canary.js';

const PASSWORD = 'c4n4ry "pw\\/+&=ü% s3cr3t';

function redactorOf(...values: readonly string[]) {
  const redactor = createRedactor({ now: () => 0 });
  redactor.add(values);
  return redactor;
}

describe('the redactor', () => {
  it('masks a value in every encoding', () => {
    const { redact } = redactorOf(PASSWORD);
    const bytes = Buffer.from(PASSWORD);
    const texts = [
      PASSWORD,
      JSON.stringify({ a: [PASSWORD] }),
      JSON.stringify(JSON.stringify({ a: PASSWORD }).slice(6, -2)),
      `https://host/?p=${encodeURIComponent(PASSWORD)}`,
      new URLSearchParams({ p: PASSWORD }).toString(),
      encodeURIComponent(PASSWORD).toLowerCase(),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      Buffer.from(`u:${PASSWORD}`).toString('base64'),
      Buffer.from(`us:${PASSWORD}:x`).toString('base64url'),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
    ];
    for (const text of texts) {
      assert.ok(redact(`before ${text} after`).includes('[redacted]'), text);
      assert.deepEqual(findCanary(PASSWORD, Buffer.from(redact(text))), [], text);
    }
  });

  it('forgets values one by one (bug: each that expired took the time of all others)', () => {
    const clock = { time: 0, now: () => clock.time };
    const { add, redact } = createRedactor(clock);
    const valueOf = (at: number): string => `${at.toString(36)}c4n4ry${at}`;
    const count = 3_000;
    for (let at = 0; at < 2 * count; at += 1) {
      clock.time += 3_600_000 / count;
      add([valueOf(at)])();
      const [expired, latest] = [valueOf(at - count), valueOf(at)];
      if (at < count) assert.equal(redact(latest), '[redacted]');
      else assert.equal(redact(`${expired} ${latest}`), `${expired} [redacted]`);
    }
  });

  it('X-03 does not mask values of fewer than six characters', () => {
    const { redact } = redactorOf('admin', '', '12345', 'true');
    assert.equal(redact('admin is true: 12345'), 'admin is true: 12345');
    assert.equal(redactorOf('123456').redact('is 123456!'), 'is [redacted]!');
  });

  it('masks values that touch, overlap, contain each other or share a prefix', () => {
    assert.equal(redactorOf('abcdefgh', 'ghijklmn').redact('.abcdefghijklmn.'), '.[redacted].');
    assert.equal(redactorOf('abcdef', 'abcdefghi').redact('abcdefghij abcdef'), '[redacted]j [redacted]');
    assert.equal(redactorOf('abcdef').redact('abcdefabcdef-abcdefabcde'), '[redacted]-[redacted]abcde');
    assert.equal(redactorOf('aaaaaa').redact('aaaaaaaaaa b'), '[redacted] b');
  });

  it('adds and releases values independently of each other between texts', () => {
    let now = 0;
    const { add, redact } = createRedactor({ now: () => now });
    const values = ['abcdef', 'abcdefghi', 'ghijkl', 'abcdef'];
    const releases = values.map((value) => {
      const release = add([value]);
      assert.equal(redact(`.${value}.`), '.[redacted].');
      return release;
    });
    releases[0]?.();
    releases[2]?.();
    now = 3_600_000;
    assert.equal(redact('abcdef ghijkl abcdefghi'), '[redacted] ghijkl [redacted]');
    add(['ghijkl']);
    assert.equal(redact('abcdef ghijkl abcdefghi'), '[redacted] [redacted] [redacted]');
  });

  it('leaves no known value in any text, and other texts unchanged (property)', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'b', '"', '\\', '/', '%', '+', 'ü', '='),
      minLength: SHORTEST,
      maxLength: 9,
    });
    const property = fc.property(
      fc.array(part, { minLength: 1, maxLength: 8 }),
      fc.array(fc.oneof(part, fc.nat(7), fc.string()), { maxLength: 12 }),
      (values, pieces) => {
        const text = pieces
          .map((piece) => (typeof piece === 'number' ? (values[piece] ?? '') : piece))
          .join('');
        const masked = redactorOf(...values).redact(text);
        const variants = values.flatMap(encodingsOf);
        for (const spelling of variants)
          for (const remainder of masked.split('[redacted]')) assert.ok(!remainder.includes(spelling));
        if (!variants.some((spelling) => text.includes(spelling))) assert.equal(masked, text);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('masks quickly with thousands of values and long texts', () => {
    const values = Array.from({ length: 5000 }, (_, at) => `value-${at}-of-many`);
    const { redact } = redactorOf(...values, 'a'.repeat(60_000));
    redact('built');
    const text = `${'lorem value- ipsum '.repeat(50_000)}${'a'.repeat(59_999)}`;
    assert.equal(redact(text), text);
  });

  it('X-02 masks a released value for one more hour, and one that is added again for longer', () => {
    let now = 0;
    const redactor = createRedactor({ now: () => now });
    const release = redactor.add(['old-value', 'kept-value']);
    redactor.add(['new-value', 'kept-value']);
    release();
    release();
    const redactedText = () => redactor.redact('old-value new-value kept-value');
    now = 3_599_999;
    assert.equal(redactedText(), '[redacted] [redacted] [redacted]');
    now = 3_600_000;
    assert.equal(redactedText(), 'old-value [redacted] [redacted]');
  });
});

describe('the log with a redactor', () => {
  const lines = async (write: (log: ReturnType<typeof openLog>['log']) => void): Promise<string> => {
    const { stream, lines } = collectingStream();
    const { log, close } = openLog(
      { level: 'spam', format: 'json', file: null, rotation: null, syslog: null },
      { stream, redactor: redactorOf(PASSWORD, '1234567') },
    );
    write(log);
    await close();
    return lines().join('\n');
  };

  it('X-02 masks secrets in messages, in fields at any depth, in field names, and in errors with their causes', async () => {
    const error = new Error(`login as u:${PASSWORD} failed`, {
      cause: new TypeError(JSON.stringify(PASSWORD)),
    });
    const fields: LogFields = { error, deep: [{ [PASSWORD]: PASSWORD }], port: 1234567 };
    const output = await lines((log) => {
      log.with({ base: `x${PASSWORD}` }).error(`sent ${PASSWORD}`, fields);
    });
    assert.deepEqual(findCanary(PASSWORD, Buffer.from(output)), []);
    assert.ok(!output.includes('1234567'));
    const entry = JSON.parse(output) as LogFields;
    assert.equal(entry['message'], 'sent [redacted]');
    assert.equal((entry['error'] as LogFields)['message'], 'login as u:[redacted] failed');
  });

  it('X-02 masks a secret at the position where a long text is cut', async () => {
    const output = await lines((log) => {
      log.info('m', { text: `${'-'.repeat(8180)}${PASSWORD}`, more: `${'-'.repeat(16_370)}${PASSWORD}` });
    });
    assert.ok(!output.includes(PASSWORD.slice(0, 7)));
  });
});

describe('maskText', () => {
  it('finding 22: keeps the hints of this program', () => {
    const sources = ['auth', 'core', 'http'].flatMap((folder) =>
      readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(ROOT, 'src', folder, name), 'utf8')),
    );
    const hints = sources
      .flatMap((text) => text.match(/'[^'\n]*\b(?:bearer|basic) [^'\n]*'/gi) ?? [])
      .filter((text) => text.split(' ').length > 3);
    assert.ok(hints.length > 4);
    for (const hint of hints) assert.equal(maskText(hint), hint);
  });

  it('returns the expected value for each input', () => {
    for (const [text, masked] of [
      ['the header is not "Bearer <token>"', 'the header is not "Bearer <token>"'],
      ['GET /?token=<token>', 'GET /?token=<token>'],
      ['Basic is not accepted', 'Basic is not accepted'],
      ['Bearer isabel', 'Bearer [redacted]'],
      ['Bearer is.secret', 'Bearer [redacted]'],
      ['Bearer in/secret', 'Bearer [redacted]'],
      ['bearer <s3cret>', 'bearer [redacted]'],
      ['Bearer <token>secret', 'Bearer [redacted]'],
      ['Basic dTpw', 'Basic [redacted]'],
      ['token=tokens', 'token=[redacted]'],
      ['GET /a?token=abc&b=1', 'GET /a?token=[redacted]&b=1'],
      ['https://user:pw@host/x', 'https://[redacted]@host/x'],
      ['read secret/data/nso1 failed: permission denied', 'read secret/data/nso1 failed: permission denied'],
      ['a@b.example wrote', 'a@b.example wrote'],
    ] as const)
      assert.equal(maskText(text), masked, JSON.stringify(text));
  });
});
