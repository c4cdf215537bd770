import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogFields } from '../../../src/core/log.js';
import { TEXT_LENGTH, maskText } from '../../../src/lib/mask-text.js';
import { createRedactor } from '../../../src/telemetry/log/redactor.js';
import { plainFields, renderFields } from '../../../src/telemetry/log/to-plain-object.js';
import { anyText } from '../../support/any-text.js';

const toPlainObject = (value: unknown): unknown => plainFields({ value }, false)['value'];

describe('plainFields', () => {
  it('renders values that JSON cannot represent', () => {
    const values = [
      12345678901234567890n,
      undefined,
      Number.NaN,
      Symbol('s'),
      assert.equal,
      Buffer.from('canary'),
    ];
    const texts = ['12345678901234567890', '[undefined]', 'NaN', '[symbol]', '[function]', '[6 bytes]'];
    assert.deepEqual(values.map(toPlainObject), texts);
    assert.equal(toPlainObject(new Date(0)), '1970-01-01T00:00:00.000Z');
    assert.deepEqual(toPlainObject(new Set([1, 'a'])), [1, 'a']);
    assert.deepEqual(toPlainObject(new Map([['a', 1]])), { a: 1 });
  });

  it('masks the value after a secret name in a list, and no item after a pointer (bug: names of adapters were masked)', () => {
    const headers = ['accept', '*/*', 'x-api-key', 'k-4711'];
    assert.deepEqual(toPlainObject(headers), ['accept', '*/*', 'x-api-key', '[redacted]']);
    assert.deepEqual(toPlainObject(['--password', 'pw-4711']), ['--password', '[redacted]']);
    const pointers = ['acme/auth/password', 'lab/auth/password', 'nso1.example.com'];
    assert.deepEqual(toPlainObject(pointers), pointers);
  });

  it('cuts cycles and deep values', () => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle['self'] = cycle;
    assert.deepEqual(toPlainObject(cycle), { a: 1, self: '[cyclic]' });
    let deep: unknown = 'bottom';
    for (let at = 0; at < 10_000; at += 1) deep = { deep };
    assert.match(JSON.stringify(toPlainObject(deep)), /\[deep\]/);
    const shared = { b: 2 };
    assert.deepEqual(toPlainObject([shared, shared]), [shared, shared], 'the same object twice is no circle');
  });

  it('survives getters, proxies and toJSON that throw', () => {
    const thrower = {
      fine: 1,
      get broken(): never {
        throw new Error('canary');
      },
    };
    assert.deepEqual(toPlainObject(thrower), { fine: 1, broken: '[unreadable]' });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    assert.equal(toPlainObject(proxy), '[unreadable]');
    assert.deepEqual(plainFields(proxy, false), { fields: '[unreadable]' });
    assert.equal(toPlainObject({ toJSON: () => assert.fail() }), '[unreadable]');
  });

  it('returns a small result for any size of the fields', () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]));
    const lists = Array.from({ length: 1000 }, () => Array.from({ length: 1000 }, () => 'x'.repeat(100)));
    for (const value of [wide, lists, 'x'.repeat(10_000_000), Array(1000).fill('y'.repeat(9000))]) {
      assert.ok(JSON.stringify(toPlainObject(value)).length < 200_000);
    }
    assert.match(JSON.stringify(toPlainObject(wide)), /"\[cut\]":"\d+ more"/);
  });
});

describe('renderFields', () => {
  it('returns a copy of harmless fields with its JSON, and reads each getter once', () => {
    let reads = 0;
    const fields = {
      text: 'é \u2028 \x7f',
      flag: true,
      get number() {
        reads += 1;
        return reads;
      },
    };
    const rendered = renderFields(fields, false, (text) => text);
    assert.deepEqual(rendered.fields, { text: 'é \u2028 \x7f', flag: true, number: 1 });
    assert.equal(rendered.json, JSON.stringify(rendered.fields));
    assert.equal(reads, 1);
  });

  it('keeps a field named __proto__', () => {
    const { fields } = renderFields(JSON.parse('{"__proto__":"a"}') as LogFields, false, (text) => text);
    assert.equal(JSON.stringify(fields), '{"__proto__":"a"}');
  });

  it('returns the fields that a walk through each value returns (property)', () => {
    const redactor = createRedactor();
    redactor.add(['a"b\\c-', 'secret-1', '100000']);
    const marked = ['a"b\\c-', 'a"b', '\\c-', 'x secret-1', 'token', 'a@b', '100000', 'toJSON'];
    const text = fc.oneof(anyText(), fc.constantFrom(...marked));
    const value = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(100_000));
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 5 }), (fields) => {
        const { fields: fast, json } = renderFields(fields, false, redactor.redact);
        // A nested object has no fast path.
        const { nested } = plainFields({ nested: fields }, false, redactor.redact);
        assert.deepEqual({ ...fast }, nested);
        if (json !== undefined) assert.equal(json, JSON.stringify(fast));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('maskText', () => {
  it('cuts a text at the maximum length, and marks the cut', () => {
    assert.equal(maskText('x'.repeat(TEXT_LENGTH)), 'x'.repeat(TEXT_LENGTH));
    assert.match(maskText('x'.repeat(TEXT_LENGTH + 1)), /x\[cut: 8193 characters\]$/);
  });

  it('masks adversarial texts quickly', () => {
    const texts = ['token', 'eyJ', 'bearer ', '://', '-----BEGIN ', 'api-', 'password"', 'hvs.', 'a-', ' '];
    const startedAt = process.cpuUsage();
    for (const text of texts) maskText(text.repeat(2_000_000 / text.length));
    assert.ok(process.cpuUsage(startedAt).user < 1_000_000, 'a second of work');
  });
});
