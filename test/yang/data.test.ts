import { asModule, assertData, compileBody, compileText } from '../support/yang.js';

const S = '{ type string; }';

/** Returns a module whose data is one container `c` with the given body. */
function inContainer(body: string) {
  const module = compileBody(`container c { ${body} }`);
  const wrapped = (documents: readonly unknown[] = []) => documents.map((document) => ({ 'm:c': document }));
  return (accepted: readonly unknown[], refused: readonly unknown[]) => {
    assertData(module, wrapped(accepted), wrapped(refused));
  };
}

/** The list `l` with these entries. */
const l = (...entries: readonly object[]) => ({ l: entries });

describe('a schema compiled from YANG', () => {
  it('requires qualified names at the top level and where the module changes, and only there', () => {
    const module = compileBody(`container c { leaf a ${S} }`);
    assertData(
      module,
      [{}, { 'm:c': {} }, { 'm:c': { a: '' } }],
      [{ c: {} }, { 'n:c': {} }, { 'm:c': { 'm:a': '' } }, { 'm:c': { b: '' } }, { 'm:c': [] }, []],
    );
  });

  it('allows annotations (RFC 7952)', () => {
    const module = compileBody(`container c { leaf a ${S} } leaf b ${S}`);
    assertData(module, [{ 'm:b': '', '@m:b': { 'o:origin': 'x' }, 'm:c': { '@': {}, a: '', '@a': {} } }]);
  });

  it('allows names with a special meaning in JSON and JavaScript', () => {
    const module = compileBody(`container constructor { leaf valueOf ${S} leaf toString ${S} }`);
    assertData(
      module,
      [{ 'm:constructor': { valueOf: '', toString: '' } }],
      [{ 'm:constructor': { hasOwnProperty: '' } }],
    );
  });

  it('requires mandatory nodes, through containers without presence', () => {
    const module = compileBody(`container c { container d { leaf a { type string; mandatory true; } } }`);
    assertData(module, [{ 'm:c': { d: { a: '' } } }], [{}, { 'm:c': {} }, { 'm:c': { d: {} } }]);
  });

  it('does not require the mandatory nodes of an absent container with presence or when', () => {
    const leaf = 'leaf a { type string; mandatory true; }';
    assertData(compileBody(`container c { presence x; ${leaf} }`), [{}], [{ 'm:c': {} }]);
    assertData(compileBody(`container c { when "true()"; ${leaf} }`), [{}], [{ 'm:c': {} }]);
  });

  it('requires a mandatory leaf at the top level, and allows one case of a choice', () => {
    const module = compileBody(
      `leaf a { type string; mandatory true; } choice x { leaf b ${S} leaf c ${S} }`,
    );
    assertData(module, [{ 'm:a': '' }, { 'm:a': '', 'm:b': '' }], [{}, { 'm:a': '', 'm:b': '', 'm:c': '' }]);
  });

  it('requires the keys of list entries, which are unique, and limits their number', () => {
    inContainer(
      `list l { key "k j"; leaf v ${S} leaf j { type int8; } leaf k ${S} min-elements 1; max-elements 2; }`,
    )(
      [{ l: [{ k: '', j: 1 }] }, l({ k: '', j: 1 }, { k: '', j: 2, v: '' })],
      [
        {},
        { l: [] },
        { l: [{ k: '' }] },
        l({ k: '', j: 1 }, { k: '', j: 1 }),
        { l: { k: '', j: 1 } },
        { l: [1] },
        { l: [1, 2, 3].map((j) => ({ k: '', j })) },
      ],
    );
  });

  it('rejects equal keys, however they are written', () => {
    const module =
      compileBody(`identity id; identity one { base id; } list l { key k; leaf k { type int64; } }
         list i { key k; leaf k { type identityref { base id; } } } leaf-list b { type bits { bit x; bit y; } }
         list d { key k; leaf k { type decimal64 { fraction-digits 2; } } }`);
    assertData(
      module,
      [{ 'm:l': [{ k: '5' }, { k: '6' }] }],
      [
        { 'm:l': [{ k: '5' }, { k: '+5' }] },
        { 'm:i': [{ k: 'one' }, { k: 'm:one' }] },
        { 'm:b': ['x y', 'y x'] },
        { 'm:d': [{ k: '1.5' }, { k: '1.50' }] },
      ],
    );
  });

  it('rejects entries with equal unique leaves, also deeper ones, if all of them exist', () => {
    inContainer(`list l { key k; unique "a d/b"; leaf k ${S} leaf a ${S} container d { leaf b ${S} } }`)(
      [
        l({ k: '1', a: 'x' }, { k: '2', a: 'x' }),
        l({ k: '1', a: 'x', d: { b: 'y' } }, { k: '2', a: 'x', d: { b: 'z' } }),
      ],
      [l({ k: '1', a: 'x', d: { b: 'y' } }, { k: '2', a: 'x', d: { b: 'y' } })],
    );
  });

  it('rejects entries with equal unique leaves inside choices', () => {
    inContainer(`list l { key k; unique "ch/a/x"; leaf k ${S} choice ch { case a { leaf x ${S} } } }`)(
      [l({ k: '1', x: 'p' }, { k: '2', x: 'q' }, { k: '3' }, { k: '4' })],
      [l({ k: '1', x: 'p' }, { k: '2', x: 'p' })],
    );
  });

  it('rejects duplicates in leaf-lists, except in state', () => {
    const module = compileBody(
      `leaf-list a ${S} leaf-list b { config false; type string; } list c { config false; leaf x ${S} }`,
      { content: 'all' },
    );
    assertData(module, [{ 'm:a': ['x', 'y'], 'm:b': ['x', 'x'], 'm:c': [{}, {}] }], [{ 'm:a': ['x', 'x'] }]);
  });

  it('excludes state from configuration', () => {
    const text = asModule(
      `container c { leaf a ${S} leaf s { config false; type string; mandatory true; } }`,
    );
    assertData(compileText(text), [{}, { 'm:c': { a: '' } }], [{ 'm:c': { s: '' } }]);
    assertData(compileText(text, { content: 'all' }), [{ 'm:c': { s: '' } }], [{}]);
  });

  it('allows the nodes of one case only', () => {
    inContainer(
      `choice ch { case a { leaf x ${S} leaf y ${S} } leaf b ${S} case none; container e { leaf z ${S} } }`,
    )(
      [{}, { x: '' }, { x: '', y: '' }, { b: '' }, { e: {} }],
      [
        { x: '', b: '' },
        { y: '', e: {} },
        { b: '', e: { z: '' } },
      ],
    );
  });

  it('allows choices inside cases, and cases named like their leaves', () => {
    inContainer(
      `choice a { case x { leaf x ${S} choice b { leaf p ${S} leaf q ${S} } } case y { leaf y ${S} } }`,
    )(
      [{}, { x: '' }, { x: '', p: '' }, { q: '' }, { y: '' }],
      [
        { p: '', q: '' },
        { p: '', y: '' },
        { x: '', y: '' },
      ],
    );
  });

  it('requires the mandatory nodes of a case once one of its nodes exists', () => {
    inContainer(
      `choice a { default y; case x { leaf m { type string; mandatory true; } leaf n ${S} choice b { mandatory true; leaf p ${S} leaf q ${S} } }
        case y { container d { presence x; leaf m2 { type string; mandatory true; } } leaf z ${S} } }`,
    )(
      [{}, { m: '', p: '' }, { m: '', n: '', q: '' }, { z: '' }, { d: { m2: '' } }],
      [{ n: '' }, { m: '' }, { n: '', p: '' }, { m: '', p: '', q: '' }, { d: {} }],
    );
  });

  it('requires one case of a mandatory choice, for which an empty container does not count', () => {
    inContainer(
      `choice a { mandatory true; leaf x ${S} container e { leaf z ${S} container f { leaf g ${S} } } container p { presence x; } }`,
    )(
      [{ x: '' }, { e: { z: '' } }, { e: { f: { g: '' } } }, { p: {} }],
      [{}, { e: {} }, { e: { f: {} } }, { x: '', p: {} }],
    );
  });

  it('does not count a list without entries as a case', () => {
    inContainer(`choice a { mandatory true; leaf x ${S} leaf-list l ${S} list m { key k; leaf k ${S} } }`)(
      [{ x: '' }, { x: '', l: [] }, { l: ['1'], m: [] }, { m: [{ k: '' }] }],
      [{}, { l: [] }, { l: [], m: [] }, { l: ['1'], m: [{ k: '' }] }],
    );
    inContainer(`choice a { mandatory true; leaf x ${S} container e { leaf-list l ${S} } }`)(
      [{ e: { l: ['1'] } }],
      [{ e: { l: [] } }],
    );
  });

  it('allows objects as anydata, and any value as anyxml', () => {
    inContainer('anydata d; anyxml x;')([{ d: { a: [1] }, x: 5 }, { x: [null] }], [{ d: 5 }, { d: [] }]);
  });
});
