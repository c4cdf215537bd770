import assert from 'node:assert/strict';
import { bodyCheckOf, documentCheckOf, yang11 } from '../../support/yang.js';

const INET = `module ietf-inet-types { namespace "urn:inet"; prefix inet;
  typedef ipv6-address { type string { pattern '[0-9a-fA-F:.%a-z]*'; } }
  typedef ipv4-prefix { type string; } }`;
const YANG_TYPES = `module ietf-yang-types { namespace "urn:yang"; prefix yang;
  typedef date-and-time { type string { pattern '.*T.*'; } } typedef mac-address { type string; } }`;

describe('the values of documents', () => {
  it('have no control characters and no noncharacters (RFC 7950 9.4)', () => {
    const check = bodyCheckOf('leaf l { type string; }');
    for (const text of ['a\u0001', '\u0000', '\ufffe', '\u{1ffff}', '\ud800'])
      assert.equal(check({ 'a:l': text }).length, 1, JSON.stringify(text));
    for (const text of ['a\tb\r\n', '\u007f', '\u{1f600}']) assert.deepEqual(check({ 'a:l': text }), []);
  });

  it('are checked as the descriptions of ietf-inet-types and ietf-yang-types demand', () => {
    const check = documentCheckOf([
      INET,
      YANG_TYPES,
      yang11(
        'a',
        `import ietf-inet-types { prefix inet; } import ietf-yang-types { prefix yang; }
         leaf-list six { type inet:ipv6-address; } leaf-list four { type inet:ipv4-prefix; }
         leaf time { type yang:date-and-time; } leaf-list mac { type yang:mac-address; }`,
      ),
    ]);
    assert.match(check({ 'a:six': ['1::2::3'] })[0] ?? '', /is no IPv6 address/);
    assert.match(check({ 'a:six': ['2001:DB8::1', '2001:db8:0::1'] })[0] ?? '', /must differ from entry 0/);
    assert.match(check({ 'a:four': ['10.0.0.1/8', '10.9.9.9/8'] })[0] ?? '', /must differ from entry 0/);
    assert.match(check({ 'a:mac': ['aa:BB', 'AA:bb'] })[0] ?? '', /must differ from entry 0/);
    assert.deepEqual(check({ 'a:time': '2024-02-29T23:59:59Z' }), []);
    assert.match(check({ 'a:time': '2023-02-29T00:00:00Z' })[0] ?? '', /is no date of the calendar/);
    assert.match(check({ 'a:time': '2023-02-01T24:00:00Z' })[0] ?? '', /is no time of the day/);
  });

  it('are binary of any size (bug: the stack was exceeded at 5 MB)', () => {
    const check = bodyCheckOf('leaf b { type binary; }');
    assert.deepEqual(check({ 'a:b': 'QUJD'.repeat(2_500_000) }), []);
    for (const text of ['QUJ', 'Q===', 'QQ==QUJD']) assert.equal(check({ 'a:b': text }).length, 1, text);
  });

  it('say which rule of their type they break', () => {
    const check = bodyCheckOf(`identity base; identity one { base base; }
         leaf n { type uint8 { range "1..5 | 9"; } } leaf d { type decimal64 { fraction-digits 2; } }
         leaf s { type string { length "2..3"; pattern "[a-z]*" { error-message "Only letters."; } } }
         leaf i { type identityref { base base; } } leaf j { type identityref { base one; } } leaf e { type empty; } leaf b { type binary { length 2; } }`);
    const cases: readonly (readonly [object, string])[] = [
      [{ 'a:n': 6 }, '/a:n must be in the range 1..5 | 9'],
      [{ 'a:n': '1' }, '/a:n is no value of the type uint8'],
      [{ 'a:d': '1.234' }, '/a:d is no value of the type decimal64'],
      [{ 'a:s': 'a' }, '/a:s must have 2..3 characters'],
      [{ 'a:s': 'A1' }, '/a:s Only letters.'],
      [{ 'a:i': 'two' }, '/a:i is no identity derived from "a:base"'],
      [
        { 'a:j': 'one' },
        '/a:j has no valid value, because no identity derived from "a:one" is known; give the modules that define such identities',
      ],
      [{ 'a:e': null }, '/a:e must be [null]'],
      [{ 'a:b': 'AAAA' }, '/a:b must have 2 octets'],
    ];
    for (const [document, expected] of cases) assert.deepEqual(check(document), [expected]);
    assert.deepEqual(check({ 'a:i': 'one', 'a:d': '-0.50', 'a:e': [null], 'a:b': 'AAA=' }), []);
  });
});

describe('the annotations of a document', () => {
  const METADATA = `module ietf-yang-metadata { namespace "urn:md"; prefix md; extension annotation { argument name; } }`;
  const check = documentCheckOf([
    METADATA,
    yang11(
      'a',
      'import ietf-yang-metadata { prefix md; } md:annotation seen { type uint8; } container c { leaf l { type string; } leaf-list m { type string; } }',
    ),
  ]);

  it('must be defined by a module, with a value of their type', () => {
    assert.deepEqual(check({ 'a:c': { '@': { 'a:seen': 1 }, l: 'x', '@l': { 'a:seen': 2 } } }), []);
    assert.match(check({ 'a:c': { '@': { 'a:seen': 300 } } })[0] ?? '', /must be in the range 0..255/);
    assert.match(check({ 'a:c': { '@': { 'b:seen': 1 } } })[0] ?? '', /is no annotation of the modules/);
    assert.match(check({ 'a:c': { '@': { seen: 1 } } })[0] ?? '', /must have the name of its module/);
    assert.match(check({ 'a:c': { '@': 5 } })[0] ?? '', /must be an object of annotations/);
  });

  it('belong to a member that exists', () => {
    assert.deepEqual(check({ 'a:c': { '@l': { 'a:seen': 1 } } }), [
      '/a:c/@l annotates "l", which is missing',
    ]);
    assert.deepEqual(check({ 'a:c': { m: ['x', 'y'], '@m': [null, { 'a:seen': 1 }] } }), []);
    assert.equal(check({ 'a:c': { m: ['x'], '@m': [null, { 'a:seen': 1 }] } }).length, 1);
  });
});
