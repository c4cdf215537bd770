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

  it('are accepted, from section 4 to 6.11', () => {
    for (const document of [
      { 'foomod:top': { foo: 54, 'barmod:bar': true } },
      { 'foomod:five-two': { bar: 123 } },
      { 'foomod:five-three': [123, 0] },
      {
        'foomod:five-four': [
          { foo: 123, baz: 'zig' },
          { baz: 'zag', foo: 0 },
        ],
      },
      { 'foomod:five-five': { 'ietf-notification:notification': { eventTime: '2014-07-29T13:43:01Z' } } },
      { 'foomod:five-six': [true, null, true] },
      { 'foomod:six-one': '-9223372036854775808' },
      { 'foomod:six-nine': [null] },
      { 'foomod:six-ten': 13 },
      {
        'foomod:six-eleven':
          "/ietf-interfaces:interfaces/interface[name='eth0']/ietf-ip:ipv4/address[ip='192.0.2.1']/prefix-length",
      },
    ] as const)
      assertData(foomod!, [document]);
  });

  it('are accepted: section 6.8: identityrefs', () => {
    assertData(interfaces!, [{ 'ifs:type': 'iana-if-type:ethernetCsmacd' }]);
  });
});
