import {
  asModule,
  assertBodyRefused,
  assertData,
  assertRefused,
  compileBody,
  compileText,
  compileTexts,
  yang10,
  yang11,
} from '../support/yang.js';

/** Asserts which values a leaf of a type accepts. */
function assertType(type: string, accepted: readonly unknown[], refused: readonly unknown[]): void {
  const module = compileBody(`${DEFINITIONS} leaf x { type ${type} }`);
  const documents = (values: readonly unknown[]) => values.map((value) => ({ 'm:x': value }));
  assertData(module, documents(accepted), documents(refused));
}

const DEFINITIONS = `
  typedef percent { type uint8 { range "0..100"; } }
  typedef colour { type enumeration { enum red; enum green { value 7; } enum blue; } }
  typedef flags { type bits { bit a; bit b.c { position 9; } bit d; } }
  identity base; identity one { base base; } identity two { base one; }
  identity other; identity both { base base; base other; }`;

describe('types', () => {
  for (const [type, accepted, refused] of [
    ['int8;', [-128, 127, 0], [-129, 128, '1', 1.5, null, true]],
    ['int8 { range "min..-10|4|10..max"; }', [-128, -10, 4, 127], [-9, 0, 5, 9]],
    ['percent { range "5..50"; }', [5, 50], [4, 51]],
    [
      'int64;',
      ['-9223372036854775808', '9223372036854775807', '+5', '0'],
      ['-9223372036854775809', '9223372036854775808', 5, '', '-', '1.0', '0x1', '05'],
    ],
    ['uint64;', ['18446744073709551615', '0'], ['18446744073709551616', '-1', 1]],
    [
      'uint64 { range "95..1205|7000000000"; }',
      ['95', '1205', '7000000000'],
      ['94', '1206', '6999999999', '7000000001'],
    ],
    [
      'decimal64 { fraction-digits 2; }',
      ['1', '1.5', '-1.25', '92233720368547758.07', '0.10', '1.250'],
      ['1.', '.5', '1.255', '92233720368547758.08', 1.5, 'x'],
    ],
    [
      'decimal64 { fraction-digits 3; range "-1.5..2.125"; }',
      ['-1.5', '-1.499', '0', '-0.0', '2.125', '2.1', '2'],
      ['-1.501', '2.126', '-2', '3'],
    ],
    [
      'decimal64 { fraction-digits 18; range "1 .. 3.14 | 9.223372036854775807"; }',
      ['1.000000000000000000', '3.139999999999999999', '3.14', '9.223372036854775807'],
      ['0.999999999999999999', '3.140000000000000001', '9.223372036854775806'],
    ],
    ['string { length "2..3"; }', ['ab', '😀😀😀'], ['a', '😀', 'abcd', 1]],
    ['string { length "1|3..4"; }', ['a', 'abc', 'abcd'], ['', 'ab', 'abcde']],
    ['string { pattern "[a-z]*"; pattern ".{2,}"; }', ['ab'], ['a', 'aB', 'ab1']],
    ["string { pattern 'x.*' { modifier invert-match; } }", ['ax', ''], ['x', 'xa']],
    ['boolean;', [true, false], ['true', 1, null]],
    ['colour;', ['red', 'blue'], ['Red', 0, '']],
    ['colour { enum blue; }', ['blue'], ['red']],
    ['flags;', ['', 'a', 'a b.c d', 'd a'], ['a a', 'a b.c a', 'bxc', 'a,d', ' ']],
    ['flags { bit a; bit d; }', ['d a'], ['b.c']],
    ['binary;', ['', 'YQ==', 'YWI=', 'YWJj'], ['YQ', 'Y===', 'ä', 1]],
    ['binary { length "2..4"; }', ['YWI=', 'YWJj', 'YWJjZA=='], ['', 'YQ==', 'YWJjZGU=']],
    [
      'binary { length "4000"; }',
      [Buffer.alloc(4000).toString('base64')],
      [Buffer.alloc(3999).toString('base64'), Buffer.alloc(4001).toString('base64')],
    ],
    ['empty;', [[null]], [null, [], '', [null, null]]],
    ['identityref { base base; }', ['one', 'm:one', 'm:two', 'both'], ['base', 'm:base', 'other', 'n:one']],
    ['identityref { base base; base other; }', ['both'], ['one', 'two']],
    [
      'instance-identifier;',
      ['/m:x', '/m:a/b[k=\'1\'][l="2"]/n:c', '/m:a[3]', "/m:a[.='x']"],
      ['m:x', '/x', '/m:x/', '', "/m:a[k='1]"],
    ],
    [
      'union { type int8; type enumeration { enum none; } type int64; }',
      [5, 'none', '5'],
      ['some', 500, null],
    ],
    ['union { type union { type empty; type int8; } type boolean; }', [[null], 1, true], [null, 'x']],
  ] as const)
    it(`accept and refuse values of ${type}`, () => {
      assertType(type, accepted, refused);
    });

  for (const [body, expected] of [
    ['leaf x { type int8 { range "5..1"; } }', /the values do not ascend/],
    ['leaf x { type int8 { range "1..5|5..9"; } }', /the values do not ascend/],
    ['leaf x { type uint8 { range "0..256"; } }', /does not allow these values/],
    [
      'typedef t { type int8 { range "1..5"; } } leaf x { type t { range "0..5"; } }',
      /does not allow these values/,
    ],
    ['leaf x { type string { range "1..5"; } }', /"range" cannot restrict the type "string"/],
    ['leaf x { type decimal64; }', /needs "fraction-digits"/],
    ['leaf x { type decimal64 { fraction-digits 1; range "1.25..2"; } }', /is not a boundary/],
    [
      'typedef t { type enumeration { enum a; } } leaf x { type t { enum b; } }',
      /is not in the restricted type/,
    ],
    ['leaf x { type enumeration { enum a { value 1; } enum b { value 1; } } }', /the value 1 of "a"/],
    ['leaf x { type enumeration { enum a { value 2147483647; } enum b; } }', /highest number/],
    ['leaf x { type identityref; }', /needs "base" inside/],
    ['leaf x { type identityref { base nope; } }', /there is no identity "nope"/],
    ['identity a { base b; } identity b { base a; }', /derived from itself/],
    ['typedef a { type b; } typedef b { type a; } leaf x { type a; }', /is derived from itself/],
    ['leaf x { type union; }', /needs "type" inside/],
    ['leaf x { type int8 { range "1..5"; } default 6; }', /does not fit its type: it is out of range/],
    ['typedef t { type int8; default 6; } leaf x { type t { range "1..5"; } }', /out of range/],
    ['leaf x { type int8; mandatory true; default 6; }', /required and have a default/],
    ['leaf x { type empty; default ""; }', /has no default/],
    ['leaf x { type string { pattern "("; } }', /not an XSD regular expression/],
  ] as const)
    it(`are refused: ${expected.source}`, () => {
      assertBodyRefused(body, expected);
    });

  it('cannot restrict an enumeration in YANG 1.0', () => {
    const body = 'typedef t { type enumeration { enum a; } } leaf x { type t { enum a; } }';
    assertRefused([yang10('m', body)], /needs "yang-version 1.1"/);
  });

  it('accept identities of modules that the module of the leaf does not import', () => {
    const base = yang11('b', 'identity base; leaf x { type identityref { base base; } }');
    const user = yang11('u', 'import b { prefix b; } identity mine { base b:base; }');
    assertData(
      compileTexts([base, user])[0]!,
      [{ 'b:x': 'u:mine' }],
      [{ 'b:x': 'mine' }, { 'b:x': 'b:mine' }],
    );
  });

  it('exclude identities whose feature is off', () => {
    const text = asModule(
      'feature f; identity a; identity b { if-feature f; base a; } identity c { base a; } leaf x { type identityref { base a; } }',
    );
    const module = compileText(text, { features: new Map([['m', new Set<string>()]]) });
    assertData(module, [{ 'm:x': 'c' }], [{ 'm:x': 'b' }]);
  });
});
