import assert from 'node:assert/strict';
import {
  asModule,
  assertBodyRefused,
  assertData,
  assertRefused,
  compileBody,
  compileTexts,
  yang10,
  yang11,
} from '../support/yang.js';

const STRING = '{ type string; }';

describe('groupings', () => {
  it('can be used before and after their definition, and take the namespace of the using module', () => {
    const g = yang11('g', `grouping one { uses two; } grouping two { leaf a ${STRING} }`);
    const m = asModule('import g { prefix g; } container c { uses g:one; }');
    assertData(compileTexts([m, g])[0]!, [{ 'm:c': { a: '' } }], [{ 'm:c': { 'g:a': '' } }]);
  });

  it('can be refined: mandatory, default, counts, presence, config, must, features, nodes of nested uses', () => {
    const module = compileBody(
      `feature f;
         grouping inner { leaf deep { type int8; } }
         grouping g { leaf a ${STRING} leaf b { type int8; default 1; } leaf-list c ${STRING} container d { leaf x ${STRING} }
           leaf e ${STRING} leaf f ${STRING} container h { uses inner; } }
         container top { uses g {
           refine a { mandatory true; } refine b { default 2; } refine c { min-elements 1; max-elements 2; }
           refine d { presence "yes"; } refine e { config false; } refine f { if-feature f; }
           refine h/deep { mandatory true; } } }`,
      { features: new Map([['m', new Set<string>()]]) },
    );
    const top = { a: '', c: [''], h: { deep: 1 } };
    assertData(
      module,
      [{ 'm:top': top }, { 'm:top': { ...top, d: {} } }],
      [
        {},
        { 'm:top': { ...top, a: undefined } },
        { 'm:top': { ...top, c: [] } },
        { 'm:top': { ...top, c: ['1', '2', '3'] } },
        { 'm:top': { ...top, h: {} } },
        { 'm:top': { ...top, e: '' } },
        { 'm:top': { ...top, f: '' } },
      ].map((document) => JSON.parse(JSON.stringify(document)) as unknown),
    );
  });

  it('can be augmented in one place and used unchanged in another', () => {
    const module = compileBody(
      `grouping g { list l { leaf a ${STRING} leaf b ${STRING} } }
         container x { config false; uses g { augment l { leaf more ${STRING} } } }
         container y { config false; uses g; }`,
      { content: 'all' },
    );
    assertData(module, [{ 'm:x': { l: [{ a: '', more: '' }, {}] } }], [{ 'm:y': { l: [{ more: '' }] } }]);
  });

  for (const [body, expected] of [
    ['uses nope;', /there is no grouping "nope"/],
    [`grouping g { leaf a ${STRING} } uses g { refine b { mandatory true; } }`, /no such node/],
    [`grouping g { leaf a ${STRING} } uses g { refine a { presence x; } }`, /has no "presence"/],
    [`grouping g { leaf a ${STRING} } uses g; leaf a ${STRING}`, /a second node "a"/],
  ] as const)
    it(`are refused: ${expected.source}`, () => {
      assertBodyRefused(body, expected);
    });
});

describe('augments', () => {
  const base = yang11(
    'b',
    `container c { choice ch { leaf a ${STRING} } list l { key k; leaf k ${STRING} } }`,
  );

  it('add qualified members to another module, also below the members of a third module', () => {
    const one = yang11('one', `import b { prefix b; } augment /b:c { container d { leaf x ${STRING} } }`);
    const two = yang11(
      'two',
      'import b { prefix b; } import one { prefix o; } augment /b:c/o:d { leaf y { type int8; } }',
    );
    const [module] = compileTexts([base, two, one]);
    assertData(
      module!,
      [{ 'b:c': { 'one:d': { x: '', 'two:y': 1 } } }],
      [{ 'b:c': { d: {} } }, { 'b:c': { 'one:d': { y: 1 } } }],
    );
  });

  it('add a shorthand case to a choice', () => {
    const user = yang11('u', `import b { prefix b; } augment /b:c/b:ch { leaf z ${STRING} }`);
    const [module] = compileTexts([base, user]);
    assertData(module!, [{ 'b:c': { 'u:z': '' } }], [{ 'b:c': { a: '', 'u:z': '' } }]);
  });

  it('add mandatory nodes to another module only under a when', () => {
    const leaf = 'leaf z { type string; mandatory true; }';
    const user = (body: string) => yang11('u', `import b { prefix b; } augment /b:c { ${body} }`);
    assertRefused([base, user(leaf)], /only under a "when"/);
    const [module] = compileTexts([base, user(`when "b:a"; ${leaf}`)]);
    assertData(module!, [{ 'b:c': {} }, { 'b:c': { 'u:z': '' } }]);
  });

  it('add no mandatory node to another module by two augments of one module', () => {
    const container = 'container d';
    const leaf = 'leaf z { type string; mandatory true; }';
    const textsOf = (first: string, second: string) => [
      base,
      yang11('u', `import b { prefix b; } augment /b:c { ${first} } augment /b:c/u:d { ${second} }`),
    ];
    for (const texts of [
      textsOf(`${container};`, leaf),
      textsOf(`${container} { container e; }`, `container f { ${leaf} }`),
      textsOf(`${container};`, 'leaf-list z { type string; min-elements 1; }'),
    ])
      assertRefused(texts, /the mandatory node "d" may be added to another module only under a "when"/);
    for (const texts of [
      textsOf(`${container} { presence "d"; }`, leaf),
      textsOf(`when "b:a"; ${container};`, leaf),
      textsOf(`${container};`, `when "b:a"; ${leaf}`),
      textsOf(`${container} { config false; }`, leaf),
    ])
      compileTexts(texts);
  });

  it('of a submodule add no mandatory node to a container that its module has added to another module', () => {
    const main = `module u { namespace "urn:u"; prefix u; import b { prefix b; } include s;
      augment /b:c { container d; } }`;
    const part = `submodule s { belongs-to u { prefix u; } import b { prefix b; }
      augment /b:c/u:d { leaf z { type string; mandatory true; } } }`;
    assertRefused([base, main, part], /the mandatory node "d" may be added to another module/);
  });

  it('are refused for targets that do not exist or cannot have children', () => {
    assertRefused(
      [base, yang11('u', 'import b { prefix b; } augment /b:nope { anydata z; }')],
      /there is no such node/,
    );
    assertBodyRefused(`leaf a ${STRING} augment /m:a { leaf b ${STRING} }`, /a leaf cannot be augmented/);
  });
});

describe('deviations', () => {
  const base = yang11(
    'b',
    `container c { leaf a { type int8; default 5; units s; } leaf-list d ${STRING} leaf e ${STRING} leaf f { type int8; mandatory true; } }`,
  );
  const deviate = (...deviations: readonly string[]) => {
    const bodies = deviations.map((one) =>
      one.replace(/^(\S+) (.*)$/s, 'deviation /b:c/b:$1 { deviate $2 }'),
    );
    return [base, yang11('d', `import b { prefix b; } ${bodies.join(' ')}`)];
  };

  it('remove, add, replace and delete properties before the schema is built', () => {
    const texts = deviate(
      'e not-supported;',
      'a replace { type string; default x; }',
      'd add { max-elements 1; }',
      'f replace { mandatory false; }',
      'a delete { units s; }',
    );
    const [module] = compileTexts(texts);
    assertData(
      module!,
      [{}, { 'b:c': { a: 'text', d: ['1'] } }],
      [{ 'b:c': { e: '' } }, { 'b:c': { a: 1 } }, { 'b:c': { d: ['1', '2'] } }],
    );
  });

  it('apply to nodes that another module has augmented', () => {
    const augment = yang11('u', `import b { prefix b; } augment /b:c { leaf z ${STRING} }`);
    const deviation = yang11(
      'd',
      'import b { prefix b; } import u { prefix u; } deviation /b:c/u:z { deviate not-supported; }',
    );
    const [module] = compileTexts([base, augment, deviation]);
    assertData(module!, [], [{ 'b:c': { f: 1, 'u:z': '' } }]);
  });

  for (const [deviation, expected] of [
    ['a add { default 6; }', /already has "default"/],
    ['e replace { default x; }', /has no "default" to replace/],
    ['a delete { units ms; }', /has no units "ms" to delete/],
    ['a add { max-elements 1; }', /a leaf has no "max-elements"/],
  ] as const)
    it(`are refused: ${expected.source}`, () => {
      assertRefused(deviate(deviation), expected);
    });
});

describe('leafrefs', () => {
  it('take the type of their target, through chains, unions and augmented keys', () => {
    const base = yang11(
      'b',
      'container c { list l { key k; leaf k { type union { type int8; type boolean; } } } }',
    );
    const user = yang11(
      'u',
      `import b { prefix b; } augment /b:c/b:l { leaf name { type string { length 2; } } }
       leaf r { type leafref { path "/b:c/b:l/b:k"; } }
       leaf s { type leafref { path "../r"; require-instance false; } }
       leaf t { type leafref { path "/b:c/b:l[b:k = current()/../r]/name"; } }`,
    );
    const [module] = compileTexts([user, base]);
    assertData(
      module!,
      [{ 'u:r': 5, 'u:s': true, 'u:t': 'ab' }],
      [{ 'u:r': 'x' }, { 'u:s': 500 }, { 'u:t': 'abc' }],
    );
  });

  it('read names without a module prefix in the module of the leaf', () => {
    const base = yang11('b', 'identity i; identity j { base i; } leaf k { type identityref { base i; } }');
    const user = yang11('u', 'import b { prefix b; } leaf r { type leafref { path "/b:k"; } }');
    const [module] = compileTexts([user, base]);
    assertData(module!, [{ 'u:r': 'b:j' }], [{ 'u:r': 'j' }]);
  });

  for (const [body, expected] of [
    ['leaf a { type leafref { path "../b"; } } leaf b { type leafref { path "../a"; } }', /in a cycle/],
    ['leaf a { type leafref { path "../b"; } }', /there is no such node/],
    ['container c; leaf a { type leafref { path "../c"; } }', /leads to a container/],
    ['leaf a { type leafref { path "../b["; } }', /it ends too early/],
    [
      `leaf a { type leafref { path "../b"; } } leaf b { config false; type string; }`,
      /cannot refer to state/,
    ],
  ] as const)
    it(`are refused: ${expected.source}`, () => {
      assertBodyRefused(body, expected);
    });
});

describe('the data tree', () => {
  for (const [body, expected] of [
    [`container c { config false; leaf a { config true; type string; } }`, /is not allowed inside state/],
    [`list l { leaf a ${STRING} }`, /needs a key/],
    ['list l { key k; container k; }', /is not a leaf directly inside the list/],
    [`list l { key k; choice c { leaf k ${STRING} } }`, /is not a leaf directly inside the list/],
    [`list l { key "k k"; leaf k ${STRING} }`, /occurs twice/],
    [`feature f; list l { key k; leaf k { if-feature f; type string; } }`, /is conditional/],
    [`list l { key k; unique z; leaf k ${STRING} }`, /"z" is not a leaf/],
    [`list l { config false; action a; }`, /is not allowed in the list "l", which has no key/],
    [`choice c { case a { leaf x ${STRING} } case b { leaf x ${STRING} } }`, /a second node "x"/],
    ['choice c { default a; case a { leaf x { type string; mandatory true; } } }', /contains the mandatory/],
    ['choice c { default z; case a { anydata x; } }', /has no case "z"/],
    ['leaf-list l { type string; min-elements 3; max-elements 2; }', /needs more entries/],
    ['leaf-list l { type string; min-elements 1; default x; }', /required and have a default/],
    ['leaf a { when "1 +"; type string; }', /not an XPath 1.0 expression/],
    ['leaf a { must "nope(.)"; type string; }', /there is no function "nope"/],
    ['leaf a { must "../x:b"; type string; }', /the prefix "x" refers to no imported module/],
  ] as const)
    it(`refuses: ${expected.source}`, () => {
      assertBodyRefused(body, expected);
    });

  it('inherits the status of the parent', () => {
    const module = compileBody(`container c { status obsolete; leaf a ${STRING} }`);
    const c = (
      module.schema['properties'] as Record<string, Record<string, Record<string, Record<string, unknown>>>>
    )['m:c'];
    assert.equal(c?.['properties']?.['a']?.['deprecated'], true);
  });

  it('accepts several defaults of a leaf-list in YANG 1.1 only', () => {
    const body = 'leaf-list l { type string; default a; default b; }';
    compileBody(body);
    assertRefused([yang10('m', body)], /needs "yang-version 1.1"/);
  });
});
