import assert from 'node:assert/strict';
import type { CompileOptions } from '../../src/yang/compile.js';
import { asModule, assertData, compileBody, documentCheckOf } from '../support/yang.js';

const S = '{ type string; }';

type Documents = readonly unknown[];
type Case = readonly [
  title: string,
  body: string,
  accepted: Documents,
  refused: Documents,
  options?: CompileOptions,
];

/** Returns a case of a module with the container `c` of this body. */
function inContainer(title: string, body: string, ...documents: readonly [Documents, Documents]): Case {
  const [accepted, refused] = documents.map((data) => data.map((one) => ({ 'm:c': one })));
  return [title, `container c { ${body} }`, accepted ?? [], refused ?? []];
}

/** The list `l` with these entries. */
const l = (...entries: readonly object[]) => ({ l: entries });

const WITH_STATE = `container c { leaf a ${S} leaf s { config false; type string; mandatory true; } }`;
const CASES: readonly Case[] = [
  [
    'requires qualified names at the top level and where the module changes, and only there',
    `container c { leaf a ${S} }`,
    [{}, { 'm:c': {} }, { 'm:c': { a: '' } }],
    [{ c: {} }, { 'n:c': {} }, { 'm:c': { 'm:a': '' } }, { 'm:c': { b: '' } }, { 'm:c': [] }, []],
  ],
  [
    'allows names with a special meaning in JSON and JavaScript',
    `container constructor { leaf valueOf ${S} leaf toString ${S} }`,
    [{ 'm:constructor': { valueOf: '', toString: '' } }],
    [{ 'm:constructor': { hasOwnProperty: '' } }],
  ],
  [
    'requires mandatory nodes, through containers without presence',
    `container c { container d { leaf a { type string; mandatory true; } } }`,
    [{ 'm:c': { d: { a: '' } } }],
    [{}, { 'm:c': {} }, { 'm:c': { d: {} } }],
  ],
  [
    'requires a mandatory leaf at the top level, and allows one case of a choice',
    `leaf a { type string; mandatory true; } choice x { leaf b ${S} leaf c ${S} }`,
    [{ 'm:a': '' }, { 'm:a': '', 'm:b': '' }],
    [{}, { 'm:a': '', 'm:b': '', 'm:c': '' }],
  ],
  inContainer(
    'requires the keys of list entries, which are unique, and limits their number',
    `list l { key "k j"; leaf v ${S} leaf j { type int8; } leaf k ${S} min-elements 1; max-elements 2; }`,
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
  ),
  [
    'rejects equal keys, however they are written',
    `identity id; identity one { base id; } list l { key k; leaf k { type int64; } }
         list i { key k; leaf k { type identityref { base id; } } } leaf-list b { type bits { bit x; bit y; } }
         list d { key k; leaf k { type decimal64 { fraction-digits 2; } } }
         leaf-list u { type union { type int8; type string; } }`,
    [{ 'm:l': [{ k: '5' }, { k: '6' }], 'm:u': [5, '5'] }],
    [
      { 'm:l': [{ k: '5' }, { k: '+5' }] },
      { 'm:i': [{ k: 'one' }, { k: 'm:one' }] },
      { 'm:b': ['x y', 'y x'] },
      { 'm:d': [{ k: '1.5' }, { k: '1.50' }] },
    ],
  ],
  inContainer(
    'rejects entries with equal unique leaves, also deeper ones, if all of them exist',
    `list l { key k; unique "a d/b"; leaf k ${S} leaf a ${S} container d { leaf b ${S} } }`,
    [
      l({ k: '1', a: 'x' }, { k: '2', a: 'x' }),
      l({ k: '1', a: 'x', d: { b: 'y' } }, { k: '2', a: 'x', d: { b: 'z' } }),
    ],
    [l({ k: '1', a: 'x', d: { b: 'y' } }, { k: '2', a: 'x', d: { b: 'y' } })],
  ),
  inContainer(
    'rejects entries with equal unique leaves inside choices',
    `list l { key k; unique "ch/a/x"; leaf k ${S} choice ch { case a { leaf x ${S} } } }`,
    [l({ k: '1', x: 'p' }, { k: '2', x: 'q' }, { k: '3' }, { k: '4' })],
    [l({ k: '1', x: 'p' }, { k: '2', x: 'p' })],
  ),
  [
    'rejects duplicates in leaf-lists, except in state',
    `leaf-list a ${S} leaf-list b { config false; type string; } list c { config false; leaf x ${S} }`,
    [{ 'm:a': ['x', 'y'], 'm:b': ['x', 'x'], 'm:c': [{}, {}] }],
    [{ 'm:a': ['x', 'x'] }],
    { content: 'all' },
  ],
  inContainer(
    'allows the nodes of one case only',
    `choice ch { case a { leaf x ${S} leaf y ${S} } leaf b ${S} case none; container e { leaf z ${S} } }`,
    [{}, { x: '' }, { x: '', y: '' }, { b: '' }, { e: {} }],
    [
      { x: '', b: '' },
      { y: '', e: {} },
      { b: '', e: { z: '' } },
    ],
  ),
  inContainer(
    'allows choices inside cases, and cases named like their leaves',
    `choice a { case x { leaf x ${S} choice b { leaf p ${S} leaf q ${S} } } case y { leaf y ${S} } }`,
    [{}, { x: '' }, { x: '', p: '' }, { q: '' }, { y: '' }],
    [
      { p: '', q: '' },
      { p: '', y: '' },
      { x: '', y: '' },
    ],
  ),
  inContainer(
    'requires the mandatory nodes of a case once one of its nodes exists',
    `choice a { default y; case x { leaf m { type string; mandatory true; } leaf n ${S} choice b { mandatory true; leaf p ${S} leaf q ${S} } }
        case y { container d { presence x; leaf m2 { type string; mandatory true; } } leaf z ${S} } }`,
    [{}, { m: '', p: '' }, { m: '', n: '', q: '' }, { z: '' }, { d: { m2: '' } }],
    [{ n: '' }, { m: '' }, { n: '', p: '' }, { m: '', p: '', q: '' }, { d: {} }],
  ),
  inContainer(
    'requires one case of a mandatory choice, for which an empty container does not count',
    `choice a { mandatory true; leaf x ${S} container e { leaf z ${S} container f { leaf g ${S} } } container p { presence x; } }`,
    [{ x: '' }, { e: { z: '' } }, { e: { f: { g: '' } } }, { p: {} }],
    [{}, { e: {} }, { e: { f: {} } }, { x: '', p: {} }],
  ),
  inContainer(
    'allows objects as anydata, and any value as anyxml',
    'anydata d; anyxml x;',
    [{ d: { a: [1] }, x: 5 }, { x: [null] }],
    [{ d: 5 }, { d: [] }],
  ),
  inContainer(
    'does not count a list without entries as a case',
    `choice a { mandatory true; leaf x ${S} leaf-list l ${S} list m { key k; leaf k ${S} } }`,
    [{ x: '' }, { x: '', l: [] }, { l: ['1'], m: [] }, { m: [{ k: '' }] }],
    [{}, { l: [] }, { l: [], m: [] }, { l: ['1'], m: [{ k: '' }] }],
  ),
  inContainer(
    'does not count a container with an empty list as a case',
    `choice a { mandatory true; leaf x ${S} container e { leaf-list l ${S} } }`,
    [{ e: { l: ['1'] } }],
    [{ e: { l: [] } }],
  ),
  inContainer(
    'refuses an empty container beside another case, as libyang does',
    `choice h { container x { leaf a ${S} container y { leaf b ${S} } } leaf w ${S} }`,
    [{ x: {} }, { w: '' }],
    [
      { x: {}, w: '' },
      { x: { y: {} }, w: '' },
    ],
  ),
  [
    'does not require the mandatory nodes of an absent container with presence',
    'container c { presence x; leaf a { type string; mandatory true; } }',
    [{}],
    [{ 'm:c': {} }],
  ],
  ['excludes state from configuration', WITH_STATE, [{}, { 'm:c': { a: '' } }], [{ 'm:c': { s: '' } }]],
  ['has state with all content', WITH_STATE, [{ 'm:c': { s: '' } }], [{}], { content: 'all' }],
];

/** Documents that the schema accepts, and that the validator of documents refuses. */
const OF_THE_SCHEMA = {
  'annotations without a definition (RFC 7952)': [
    `container c { leaf a ${S} } leaf b ${S}`,
    { 'm:b': '', '@m:b': { 'o:origin': 'x' }, 'm:c': { '@': {}, a: '', '@a': {} } },
  ],
  'the absence of a mandatory node in a container with a condition': [
    'container c { when "true()"; leaf a { type string; mandatory true; } }',
    {},
  ],
} as const;

describe('a schema compiled from YANG, and the validator of documents', () => {
  for (const [title, body, accepted, refused, options] of CASES)
    it(title, () => {
      assertData(compileBody(body, options), accepted, refused);
      const check = documentCheckOf([asModule(body)], options);
      for (const document of accepted) assert.deepEqual(check(document), [], JSON.stringify(document));
      for (const document of refused) assert.notDeepEqual(check(document), [], JSON.stringify(document));
    });

  for (const [what, [body, document]] of Object.entries(OF_THE_SCHEMA))
    it(`differ in ${what}`, () => {
      assertData(compileBody(body), [document]);
      assert.notDeepEqual(documentCheckOf([asModule(body)])(document), []);
    });
});
