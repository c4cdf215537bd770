import assert from 'node:assert/strict';
import {
  formatTraceParent,
  parseTraceParent,
  forwardedTracestate,
} from '../../../src/telemetry/trace/tracer.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('traceparent (W3C Trace Context, level 1, section 3.2)', () => {
  const valid: readonly (readonly [what: string, value: string, isSampled: boolean])[] = [
    ['version 00', `00-${TRACE}-${PARENT}-01`, true],
    ['not sampled', `00-${TRACE}-${PARENT}-00`, false],
    ['unknown flags', `00-${TRACE}-${PARENT}-fe`, false],
    ['all flags', `00-${TRACE}-${PARENT}-ff`, true],
    ['a future version', `cc-${TRACE}-${PARENT}-01`, true],
    ['a future version with further fields', `cc-${TRACE}-${PARENT}-01-what-the-future-will-be`, true],
    ['a future version with a trailing hyphen', `cc-${TRACE}-${PARENT}-01-`, true],
  ];
  for (const [what, value, isSampled] of valid)
    it(`is parsed: ${what}`, () => {
      assert.deepEqual(parseTraceParent(value), { traceId: TRACE, parentId: PARENT, isSampled });
    });

  const invalid: readonly (readonly [what: string, value: unknown])[] = [
    ['nothing', undefined],
    ['an empty string', ''],
    ['several headers', [`00-${TRACE}-${PARENT}-01`]],
    ['two values in one header', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['further text after version 00', `00-${TRACE}-${PARENT}-01-`],
    ['further text after a future version, without a hyphen', `cc-${TRACE}-${PARENT}-01.what`],
    ['uppercase digits', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['a long parent', `00-${TRACE}-${PARENT}0-01`],
    ['short flags', `00-${TRACE}-${PARENT}-1`],
    ['a character that is not a hexadecimal digit', `00-${TRACE}-${PARENT.slice(1)}g-01`],
    ['a leading space', ` 00-${TRACE}-${PARENT}-01`],
    ['a trailing line feed', `00-${TRACE}-${PARENT}-01\n`],
  ];
  it('is ignored if malformed', () => {
    for (const [what, value] of invalid) assert.equal(parseTraceParent(value), undefined, what);
  });

  it('is formatted in version 00, with the sampled flag', () => {
    const written = formatTraceParent({ traceId: TRACE, parentId: PARENT, isSampled: true });
    assert.equal(written, `00-${TRACE}-${PARENT}-01`);
    assert.deepEqual(parseTraceParent(written), { traceId: TRACE, parentId: PARENT, isSampled: true });
  });
});

describe('tracestate (W3C Trace Context, level 1, section 3.3)', () => {
  const members = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}=v`).join(',');
  const forwarded: readonly (readonly [what: string, value: string, forwarded: string])[] = [
    ['one member', 'rojo=00f067aa0ba902b7', 'rojo=00f067aa0ba902b7'],
    ['its order', 'b=1,a=2', 'b=1,a=2'],
    ['a tenant', '0a@vendor=1', '0a@vendor=1'],
    ['spaces around members, which are removed', ' a=1 ,\tb=2,, ', 'a=1,b=2'],
    ['spaces inside a value', 'a=1 2', 'a=1 2'],
    ['all characters of a key', 'a_-*/1=x', 'a_-*/1=x'],
    ['32 members', members(32), members(32)],
    ['the longest value', `a=${'x'.repeat(256)}`, `a=${'x'.repeat(256)}`],
  ];
  it('is forwarded', () => {
    for (const [what, value, expected] of forwarded) assert.equal(forwardedTracestate(value), expected, what);
  });

  const dropped: readonly (readonly [what: string, value: unknown])[] = [
    ['nothing', undefined],
    ['an empty list', ' , '],
    ['33 members', members(33)],
    ['a key twice', 'a=1,b=2,a=3'],
    ['no value', 'a='],
    ['no key', '=1'],
    ['no "="', 'a'],
    ['two "="', 'a=1=2'],
    ['uppercase letters in a key', 'A=1'],
    ['a key that begins with a digit', '1a=1'],
    ['a value that is too long', `a=${'x'.repeat(257)}`],
    ['a character beyond ASCII', 'a=\xe4'],
    ['a line break', 'a=1\r\nx: y'],
  ];
  it('is dropped', () => {
    for (const [what, value] of dropped) assert.equal(forwardedTracestate(value), undefined, what);
  });
});
