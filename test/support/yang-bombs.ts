import { asModule } from './yang.js';

/** Returns `count` texts separated by spaces. */
export const repeat = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join(' ');

type Bomb = readonly [what: string, text: string, expected: RegExp | 'compiles'];

/** Bodies of a module. */
const BODIES: readonly Bomb[] = [
  [
    'groupings that double 40 times',
    `grouping g0 { leaf a { type string; } } ${repeat(40, (at) => `grouping g${at + 1} { container x { uses g${at}; } container y { uses g${at}; } }`)} uses g40;`,
    /the schema tree has more than 10+ nodes/,
  ],
  [
    'groupings that double without a node',
    `grouping g0 { } ${repeat(60, (at) => `grouping g${at + 1} { uses g${at}; uses g${at}; }`)} uses g60;`,
    /more than \d+ groupings/,
  ],
  [
    '10,000 containers in each other',
    `${'container c { '.repeat(10_000)}${'}'.repeat(10_000)}`,
    /nested deeper than 200 levels/,
  ],
  [
    'groupings that nest 300 deep',
    `grouping g0 { leaf a { type string; } } ${repeat(300, (at) => `grouping g${at + 1} { container c { uses g${at}; } }`)} uses g300;`,
    /nested deeper/,
  ],
  [
    '10,000 groupings that hold each other and nothing else',
    `grouping g0 { } ${repeat(10_000, (at) => `grouping g${at + 1} { uses g${at}; }`)} uses g10000;`,
    /nested deeper than 200 levels/,
  ],
  [
    '100,000 times deref',
    `leaf a { type leafref { path "${'deref('.repeat(100_000)}"; } }`,
    /is not expected/,
  ],
  [
    'a text of 10 MB in one string',
    `description "${'x'.repeat(10_000_000)}"; leaf a { type string; }`,
    'compiles',
  ],
  ['30,000 leaves', repeat(30_000, (at) => `leaf l${at} { type int8; }`), 'compiles'],
  [
    'types made of each other',
    `${repeat(5000, (at) => `typedef t${at} { type t${(at + 1) % 5000}; }`)} leaf a { type t0; }`,
    /is derived (from itself|through more than)/,
  ],
  [
    'unions that double',
    `typedef t0 { type union { type int8; } } ${repeat(40, (at) => `typedef t${at + 1} { type union { type t${at}; type t${at}; } }`)} leaf a { type t40; }`,
    /members/,
  ],
  [
    'identities in a circle of 20,000',
    repeat(20_000, (at) => `identity i${at} { base i${(at + 1) % 20_000}; }`),
    /derived from itself/,
  ],
  [
    '20,000 identities in a chain',
    `identity i0; ${repeat(20_000, (at) => `identity i${at + 1} { base i${at}; }`)} leaf a { type identityref { base i0; } }`,
    'compiles',
  ],
  [
    'features in a chain of 20,000',
    `${repeat(20_000, (at) => `feature f${at} { if-feature f${at + 1}; }`)} feature f20000; leaf a { if-feature f0; type string; }`,
    /depend/,
  ],
  [
    '2,000 leafrefs in a chain',
    `leaf l0 { type string; } ${repeat(2000, (at) => `leaf l${at + 1} { type leafref { path "../l${at}"; } }`)}`,
    /leafrefs/,
  ],
  ['an XPath of a megabyte', `leaf a { must "${'a or '.repeat(200_000)}a"; type string; }`, 'compiles'],
  [
    'an XPath of 100,000 parentheses',
    `leaf a { must "${'('.repeat(100_000)}"; type string; }`,
    /nested too deep/,
  ],
  [
    'a pattern of 100,000 parentheses',
    `leaf a { type string { pattern "${'('.repeat(100_000)}"; } }`,
    /too many groups/,
  ],
  [
    'counts in counts',
    `leaf a { type string { pattern "(((((a{1001}){1001}){1001}){1001}){1001}){1001}"; } }`,
    'compiles',
  ],
  [
    'subtracted classes in each other',
    `leaf a { type string { pattern "${'[\\\\w-'.repeat(90)}[a]${']'.repeat(90)}"; } }`,
    'compiles',
  ],
  [
    'an if-feature of 100,000 nots',
    `feature f; leaf a { if-feature "${'not '.repeat(100_000)}f"; type string; }`,
    /parentheses|deep/,
  ],
  [
    '20,000 augments that wait for each other',
    `container c; ${repeat(3000, (at) => `augment /m:c${repeat(Math.min(3000 - at, 40), () => '/m:c').replaceAll(' ', '')} { container c; }`)}`,
    /./,
  ],
  [
    '20,000 deviations',
    `leaf a { type string; } ${repeat(20_000, () => 'deviation /m:a { deviate add { must "true()"; } }')}`,
    'compiles',
  ],
  [
    'a range of 50,000 parts',
    `leaf a { type int64 { range "${repeat(50_000, (at) => String(at * 2)).replaceAll(' ', '|')}"; } }`,
    'compiles',
  ],
  ['50,000 enums', `leaf a { type enumeration { ${repeat(50_000, (at) => `enum e${at};`)} } }`, 'compiles'],
];

/** Texts made to stall or crash a compiler, and the expected result of each. */
export const YANG_BOMBS: readonly Bomb[] = [
  ...BODIES.map(([what, body, expected]): Bomb => [what, asModule(body), expected]),
  ['a comment that never ends', `module m { /* ${'x'.repeat(1_000_000)}`, /the comment never ends/],
  ['a string that never ends', `module m { description "${'x\n'.repeat(500_000)}`, /the string never ends/],
  ['a million open braces', 'a {'.repeat(1_000_000), /nested deeper/],
  ['a million closing braces', '}'.repeat(1_000_000), /closes nothing/],
  ['a million backslashes', `module m { description "${'\\'.repeat(1_000_001)}`, /the string never ends/],
  ['a million quotes', '"'.repeat(1_000_000), /is not a keyword/],
  ['zero bytes', '\u0000'.repeat(100_000), /this is binary data or UTF-16/],
  ['UTF-16 read as UTF-8', 'm\u0000o\u0000d\u0000', /this is binary data or UTF-16/],
];
