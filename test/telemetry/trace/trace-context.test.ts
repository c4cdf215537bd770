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
    ['flags that nobody knows yet', `00-${TRACE}-${PARENT}-fe`, false],
    ['all flags', `00-${TRACE}-${PARENT}-ff`, true],
    ['a version to come', `cc-${TRACE}-${PARENT}-01`, true],
    ['a version to come, with more behind it', `cc-${TRACE}-${PARENT}-01-what-the-future-will-be`, true],
    ['a version to come, with an end that says nothing', `cc-${TRACE}-${PARENT}-01-`, true],
  ];
  for (const [what, value, isSampled] of valid)
    it(`is read: ${what}`, () => {
      assert.deepEqual(parseTraceParent(value), { traceId: TRACE, parentId: PARENT, isSampled });
    });

  const invalid: readonly (readonly [what: string, value: unknown])[] = [
    ['nothing', undefined],
    ['no text', ''],
    ['several lines', [`00-${TRACE}-${PARENT}-01`]],
    ['two in one line', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['more behind version 00', `00-${TRACE}-${PARENT}-01-`],
    ['more behind a version to come, without a hyphen', `cc-${TRACE}-${PARENT}-01.what`],
    ['capitals', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['a long parent', `00-${TRACE}-${PARENT}0-01`],
    ['short flags', `00-${TRACE}-${PARENT}-1`],
    ['what is no digit', `00-${TRACE}-${PARENT.slice(1)}g-01`],
    ['a blank before it', ` 00-${TRACE}-${PARENT}-01`],
    ['a line feed behind it', `00-${TRACE}-${PARENT}-01\n`],
  ];
  for (const [what, value] of invalid)
    it(`is not read: ${what}`, () => {
      assert.equal(parseTraceParent(value), undefined);
    });

  it('is written in version 00, with the one flag that there is', () => {
    const written = formatTraceParent({ traceId: TRACE, parentId: PARENT, isSampled: true });
    assert.equal(written, `00-${TRACE}-${PARENT}-01`);
    assert.deepEqual(parseTraceParent(written), { traceId: TRACE, parentId: PARENT, isSampled: true });
  });
});

describe('tracestate (W3C Trace Context, level 1, section 3.3)', () => {
  const members = (count: number): string => Array.from({ length: count }, (_, at) => `k${at}=v`).join(',');
  const passed: readonly (readonly [what: string, value: string, passed: string])[] = [
    ['one member', 'rojo=00f067aa0ba902b7', 'rojo=00f067aa0ba902b7'],
    ['its order', 'b=1,a=2', 'b=1,a=2'],
    ['a tenant', '0a@vendor=1', '0a@vendor=1'],
    ['blanks around members, and none between them', ' a=1 ,\tb=2,, ', 'a=1,b=2'],
    ['blanks inside a value', 'a=1 2', 'a=1 2'],
    ['all signs of a key', 'a_-*/1=x', 'a_-*/1=x'],
    ['32 members', members(32), members(32)],
    ['the longest value', `a=${'x'.repeat(256)}`, `a=${'x'.repeat(256)}`],
  ];
  for (const [what, value, expected] of passed)
    it(`goes on: ${what}`, () => {
      assert.equal(forwardedTracestate(value), expected);
    });

  const left: readonly (readonly [what: string, value: unknown])[] = [
    ['nothing', undefined],
    ['an empty one', ' , '],
    ['33 members', members(33)],
    ['a key twice', 'a=1,b=2,a=3'],
    ['no value', 'a='],
    ['no key', '=1'],
    ['no "="', 'a'],
    ['two "="', 'a=1=2'],
    ['capitals in a key', 'A=1'],
    ['a key that begins with a digit', '1a=1'],
    ['a value that is too long', `a=${'x'.repeat(257)}`],
    ['a sign beyond ASCII', 'a=\xe4'],
    ['a line break', 'a=1\r\nx: y'],
  ];
  for (const [what, value] of left)
    it(`ends here: ${what}`, () => {
      assert.equal(forwardedTracestate(value), undefined);
    });
});
