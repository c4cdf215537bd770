import { assertData, compileTexts, yang11 } from '../support/yang.js';

describe('the examples of RFC 7951', () => {
  const foo = yang11(
    'foomod',
    `container top { leaf foo { type uint8; } }
     container five-two { leaf bar { type uint8; } } leaf-list five-three { type uint8; }
     list five-four { key foo; leaf foo { type uint8; } leaf baz { type string; } } anydata five-five; anyxml five-six;
     leaf six-ten { type union { type uint16; type string; } } leaf six-nine { type empty; }
     leaf six-one { type int64; } leaf six-eleven { type instance-identifier; }`,
  );
  const bar = yang11(
    'barmod',
    'import foomod { prefix foo; } augment "/foo:top" { leaf bar { type boolean; } }',
  );
  const types = yang11(
    'iana-if-type',
    'import ifs { prefix if; } identity ethernetCsmacd { base if:interface-type; }',
  );
  const ifs = yang11(
    'ifs',
    'identity interface-type; leaf type { type identityref { base interface-type; } }',
  );
  const [foomod, , , interfaces] = compileTexts([foo, bar, types, ifs]);

  it('are accepted, section by section', () => {
    for (const [, document] of [
      ['4: names', { 'foomod:top': { foo: 54, 'barmod:bar': true } }],
      ['5.2: containers', { 'foomod:five-two': { bar: 123 } }],
      ['5.3: leaf-lists', { 'foomod:five-three': [123, 0] }],
      [
        '5.4: lists',
        {
          'foomod:five-four': [
            { foo: 123, baz: 'zig' },
            { baz: 'zag', foo: 0 },
          ],
        },
      ],
      [
        '5.5: anydata',
        { 'foomod:five-five': { 'ietf-notification:notification': { eventTime: '2014-07-29T13:43:01Z' } } },
      ],
      ['5.6: anyxml', { 'foomod:five-six': [true, null, true] }],
      ['6.1: numbers', { 'foomod:six-one': '-9223372036854775808' }],
      ['6.9: empty', { 'foomod:six-nine': [null] }],
      ['6.10: unions', { 'foomod:six-ten': 13 }],
      [
        '6.11: instance-identifiers',
        {
          'foomod:six-eleven':
            "/ietf-interfaces:interfaces/interface[name='eth0']/ietf-ip:ipv4/address[ip='192.0.2.1']/prefix-length",
        },
      ],
    ] as const)
      assertData(foomod!, { accepted: [document] });
  });

  it('are accepted: section 6.8: identityrefs', () => {
    assertData(interfaces!, { accepted: [{ 'ifs:type': 'iana-if-type:ethernetCsmacd' }] });
  });
});
