import { assertData, assertRefused, compileText, compileTexts, yang10, yang11 } from '../support/yang.js';

/** Asserts which values a leaf of a type accepts. */
function assertType(type: string, accepted: readonly unknown[], refused: readonly unknown[]): void {
  const module = compileText(yang11('m', `${DEFINITIONS} leaf x { type ${type} }`));
  const documents = (values: readonly unknown[]) => values.map((value) => ({ 'm:x': value }));
  assertData(module, { accepted: documents(accepted), refused: documents(refused) });
}

const DEFINITIONS = `
  typedef percent { type uint8 { range "0..100"; } }
  typedef colour { type enumeration { enum red; enum green { value 7; } enum blue; } }
  typedef flags { type bits { bit a; bit b.c { position 9; } bit d; } }
  identity base; identity one { base base; } identity two { base one; }
  identity other; identity both { base base; base other; }`;

describe('types', () => {
  for (const [what, type, accepted, refused] of [
    ['int8 has its range', 'int8;', [-128, 127, 0], [-129, 128, '1', 1.5, null, true]],
    [
      'a range supports parts, min and max',
      'int8 { range "min..-10|4|10..max"; }',
      [-128, -10, 4, 127],
      [-9, 0, 5, 9],
    ],
    ['a typedef can be restricted further', 'percent { range "5..50"; }', [5, 50], [4, 51]],
    [
      'int64 is a string, exact at its ends',
      'int64;',
      ['-9223372036854775808', '9223372036854775807', '+5', '0'],
      ['-9223372036854775809', '9223372036854775808', 5, '', '-', '1.0', '0x1', '05'],
    ],
    [
      'uint64 is a string, exact at its ends',
      'uint64;',
      ['18446744073709551615', '0'],
      ['18446744073709551616', '-1', 1],
    ],
    [
      'a range of uint64 is exact',
      'uint64 { range "95..1205|7000000000"; }',
      ['95', '1205', '7000000000'],
      ['94', '1206', '6999999999', '7000000001'],
    ],
    [
      'decimal64 is a string with its fraction digits',
      'decimal64 { fraction-digits 2; }',
      ['1', '1.5', '-1.25', '92233720368547758.07', '0.10', '1.250'],
      ['1.', '.5', '1.255', '92233720368547758.08', 1.5, 'x'],
    ],
    [
      'decimal64 has an exact range',
      'decimal64 { fraction-digits 3; range "-1.5..2.125"; }',
      ['-1.5', '-1.499', '0', '-0.0', '2.125', '2.1', '2'],
      ['-1.501', '2.126', '-2', '3'],
    ],
    [
      'decimal64 with 18 fraction digits is exact',
      'decimal64 { fraction-digits 18; range "1 .. 3.14 | 9.223372036854775807"; }',
      ['1.000000000000000000', '3.139999999999999999', '3.14', '9.223372036854775807'],
      ['0.999999999999999999', '3.140000000000000001', '9.223372036854775806'],
    ],
    [
      'string counts characters, not surrogates',
      'string { length "2..3"; }',
      ['ab', '😀😀😀'],
      ['a', '😀', 'abcd', 1],
    ],
    ['length may have parts', 'string { length "1|3..4"; }', ['a', 'abc', 'abcd'], ['', 'ab', 'abcde']],
    [
      'every pattern must match, as a whole',
      'string { pattern "[a-z]*"; pattern ".{2,}"; }',
      ['ab'],
      ['a', 'aB', 'ab1'],
    ],
    [
      'a pattern can be inverted',
      "string { pattern 'x.*' { modifier invert-match; } }",
      ['ax', ''],
      ['x', 'xa'],
    ],
    ['boolean is a boolean', 'boolean;', [true, false], ['true', 1, null]],
    ['enumeration accepts its names', 'colour;', ['red', 'blue'], ['Red', 0, '']],
    ['enumeration can be restricted', 'colour { enum blue; }', ['blue'], ['red']],
    [
      'bits accept their names, each once, in any order',
      'flags;',
      ['', 'a', 'a b.c d', 'd a'],
      ['a a', 'a b.c a', 'bxc', 'a,d', ' '],
    ],
    ['bits can be restricted', 'flags { bit a; bit d; }', ['d a'], ['b.c']],
    ['binary is base64', 'binary;', ['', 'YQ==', 'YWI=', 'YWJj'], ['YQ', 'Y===', 'ä', 1]],
    [
      'binary counts octets',
      'binary { length "2..4"; }',
      ['YWI=', 'YWJj', 'YWJjZA=='],
      ['', 'YQ==', 'YWJjZGU='],
    ],
    [
      'binary counts many octets',
      'binary { length "4000"; }',
      [Buffer.alloc(4000).toString('base64')],
      [Buffer.alloc(3999).toString('base64'), Buffer.alloc(4001).toString('base64')],
    ],
    ['empty is a list of one null', 'empty;', [[null]], [null, [], '', [null, null]]],
    [
      'identityref accepts derived identities, with or without the module',
      'identityref { base base; }',
      ['one', 'm:one', 'm:two', 'both'],
      ['base', 'm:base', 'other', 'n:one'],
    ],
    [
      'identityref with two bases accepts identities derived from both',
      'identityref { base base; base other; }',
      ['both'],
      ['one', 'two'],
    ],
    [
      'instance-identifier begins with a module',
      'instance-identifier;',
      ['/m:x', '/m:a/b[k=\'1\'][l="2"]/n:c', '/m:a[3]', "/m:a[.='x']"],
      ['m:x', '/x', '/m:x/', '', "/m:a[k='1]"],
    ],
    [
      'a union accepts the values of any member type',
      'union { type int8; type enumeration { enum none; } type int64; }',
      [5, 'none', '5'],
      ['some', 500, null],
    ],
    [
      'a nested union can contain empty',
      'union { type union { type empty; type int8; } type boolean; }',
      [[null], 1, true],
      [null, 'x'],
    ],
  ] as const)
    it(what, () => {
      assertType(type, accepted, refused);
    });

  it('are refused with contradicting statements', () => {
    for (const [, body, expected] of [
      ['a range that does not ascend', 'leaf x { type int8 { range "5..1"; } }', /the values do not ascend/],
      ['parts that overlap', 'leaf x { type int8 { range "1..5|5..9"; } }', /the values do not ascend/],
      [
        'a range wider than the type',
        'leaf x { type uint8 { range "0..256"; } }',
        /does not allow these values/,
      ],
      [
        'a wider range of a typedef',
        'typedef t { type int8 { range "1..5"; } } leaf x { type t { range "0..5"; } }',
        /does not allow these values/,
      ],
      [
        'a range of a string',
        'leaf x { type string { range "1..5"; } }',
        /"range" cannot restrict the type "string"/,
      ],
      ['decimal64 without fraction digits', 'leaf x { type decimal64; }', /needs "fraction-digits"/],
      [
        'too many fraction digits in a range',
        'leaf x { type decimal64 { fraction-digits 1; range "1.25..2"; } }',
        /is not a boundary/,
      ],
      [
        'an enum that the type does not have',
        'typedef t { type enumeration { enum a; } } leaf x { type t { enum b; } }',
        /is not in the restricted type/,
      ],
      [
        'two enums with one value',
        'leaf x { type enumeration { enum a { value 1; } enum b { value 1; } } }',
        /the value 1 of "a"/,
      ],
      [
        'a value after the highest',
        'leaf x { type enumeration { enum a { value 2147483647; } enum b; } }',
        /highest number/,
      ],
      ['an identityref without a base', 'leaf x { type identityref; }', /needs "base" inside/],
      ['an unknown identity', 'leaf x { type identityref { base nope; } }', /there is no identity "nope"/],
      [
        'an identity derived from itself',
        'identity a { base b; } identity b { base a; }',
        /derived from itself/,
      ],
      [
        'a type derived from itself',
        'typedef a { type b; } typedef b { type a; } leaf x { type a; }',
        /is derived from itself/,
      ],
      ['a union without members', 'leaf x { type union; }', /needs "type" inside/],
      [
        'a default out of range',
        'leaf x { type int8 { range "1..5"; } default 6; }',
        /does not fit its type: it is out of range/,
      ],
      [
        'a default of a typedef that a restriction excludes',
        'typedef t { type int8; default 6; } leaf x { type t { range "1..5"; } }',
        /out of range/,
      ],
      [
        'a default of a mandatory leaf',
        'leaf x { type int8; mandatory true; default 6; }',
        /required and have a default/,
      ],
      ['a default of type empty', 'leaf x { type empty; default ""; }', /has no default/],
      ['a broken pattern', 'leaf x { type string { pattern "("; } }', /not an XSD regular expression/],
    ] as const)
      assertRefused([yang11('m', body)], expected);
  });

  it('cannot restrict an enumeration in YANG 1.0', () => {
    const body = 'typedef t { type enumeration { enum a; } } leaf x { type t { enum a; } }';
    assertRefused([yang10('m', body)], /needs "yang-version 1.1"/);
  });

  it('accept identities of modules that the module of the leaf does not import', () => {
    const base = yang11('b', 'identity base; leaf x { type identityref { base base; } }');
    const user = yang11('u', 'import b { prefix b; } identity mine { base b:base; }');
    assertData(compileTexts([base, user])[0]!, {
      accepted: [{ 'b:x': 'u:mine' }],
      refused: [{ 'b:x': 'mine' }, { 'b:x': 'b:mine' }],
    });
  });

  it('exclude identities whose feature is off', () => {
    const text = yang11(
      'm',
      'feature f; identity a; identity b { if-feature f; base a; } identity c { base a; } leaf x { type identityref { base a; } }',
    );
    const module = compileText(text, { features: new Map([['m', new Set<string>()]]) });
    assertData(module, { accepted: [{ 'm:x': 'c' }], refused: [{ 'm:x': 'b' }] });
  });
});
