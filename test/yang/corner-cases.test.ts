import assert from 'node:assert/strict';
import { compileYang } from '../../src/yang/compile.js';
import { yang10, yang11 } from '../support/yang.js';

/** A case: what the module does, the rule that forbids it (none for a valid module), and the texts. */
type Case = readonly [title: string, rule: string | undefined, ...texts: readonly string[]];

const EXTENSIONS = 'module x { namespace "urn:x"; prefix x; extension e { argument a; } extension n; }';
const TARGET = yang11('n', 'container c;');
const KEYED = 'list l { key k; leaf k { type string; } leaf v { type string; } }';

/** Modules whose verdict the RFCs give, and about which public compilers disagree. */
const CASES: readonly Case[] = [
  ['YANG 1.0 text with a quote inside an unquoted string', undefined, yang10('m', "description don't;")],
  ['YANG 1.0 identifier that begins with xml', 'RFC 6020 12', yang10('m', 'leaf xmla { type string; }')],
  ['statement with an unknown prefix', 'RFC 7950 6.3.1', yang11('m', 'q:foo "bar";')],
  ['unknown extension', 'RFC 7950 6.3.1', yang11('m', 'import x { prefix x; } x:z "a";'), EXTENSIONS],
  [
    'YANG 1.0 module that imports a YANG 1.1 module by revision',
    'RFC 7950 12',
    yang10('m', 'import o { prefix o; revision-date 2020-01-01; }'),
    yang11('o', 'revision 2020-01-01;'),
  ],
  [
    'YANG 1.0 submodule that uses a type of its module',
    'RFC 6020 5.1',
    yang10('m', 'include s; typedef t { type string; }'),
    'submodule s { belongs-to m { prefix m; } leaf a { type t; } }',
  ],
  [
    'YANG 1.0 submodule that uses a type of a submodule that it does not include',
    'RFC 6020 5.1',
    yang10('m', 'include s; include o;'),
    'submodule s { belongs-to m { prefix m; } leaf a { type t; } }',
    'submodule o { belongs-to m { prefix m; } typedef t { type string; } }',
  ],
  [
    'submodule of another YANG version',
    'RFC 7950 12',
    yang10('m', 'include s;'),
    'submodule s { yang-version 1.1; belongs-to m { prefix m; } leaf a { type string; } }',
  ],
  ['typedef of itself', 'RFC 7950 7.3', yang11('m', 'typedef t { type t; }')],
  ['unused typedef of an unknown type', 'RFC 7950 7.3', yang11('m', 'typedef t { type nosuch; }')],
  ['range with a plus sign', 'RFC 7950 9.2.4', yang11('m', 'leaf a { type int8 { range "+1..5"; } }')],
  [
    'YANG 1.0 union with empty',
    'RFC 6020 9.12',
    yang10('m', 'leaf a { type union { type empty; type string; } }'),
  ],
  [
    'YANG 1.0 union with a leafref',
    'RFC 6020 9.12',
    yang10('m', 'leaf b { type string; } leaf a { type union { type leafref { path "/m:b"; } type int8; } }'),
  ],
  [
    'YANG 1.0 leafref with require-instance',
    'RFC 6020 9.9',
    yang10('m', 'leaf b { type int8; } leaf a { type leafref { path "/m:b"; require-instance false; } }'),
  ],
  [
    'leafref predicate with a literal',
    'RFC 7950 9.9.2',
    yang11('m', `${KEYED} leaf a { type leafref { path "/m:l[m:k='x']/m:v"; } }`),
  ],
  [
    'leafref path with deref',
    'RFC 7950 9.9.2',
    yang11(
      'm',
      `${KEYED} leaf r { type leafref { path "/m:l/m:k"; } }
      leaf a { type leafref { path "deref(../r)/../v"; } }`,
    ),
  ],
  [
    'binary default that is not base64',
    'RFC 7950 7.6.4',
    yang11('m', 'leaf a { type binary; default "A*"; }'),
  ],
  [
    'typedef default out of range',
    'RFC 7950 7.3.4',
    yang11('m', 'typedef t { type int8 { range "1..5"; } default 9; }'),
  ],
  [
    'unique with configuration and state',
    'RFC 7950 7.8.3',
    yang11(
      'm',
      `list l { key k; unique "a b"; leaf k { type int8; } leaf a { type int8; }
      leaf b { config false; type int8; } }`,
    ),
  ],
  [
    'leaf-list with the same default in two spellings',
    'RFC 7950 7.7.2',
    yang11('m', 'leaf-list a { type int8; default 1; default "+1"; }'),
  ],
  ['grouping that uses itself', 'RFC 7950 7.12', yang11('m', 'grouping g { container c { uses g; } }')],
  [
    'groupings that use each other',
    'RFC 7950 7.12',
    yang11('m', 'grouping g { uses h; } grouping h { uses g; }'),
  ],
  [
    'list of an unused grouping whose key is state, because the grouping may be used inside state',
    undefined,
    yang11('m', 'grouping g { list l { key k; leaf k { config false; type int8; } } }'),
  ],
  [
    'configuration list of an unused grouping whose key is state',
    'RFC 7950 7.8.2',
    yang11('m', 'grouping g { list l { config true; key k; leaf k { config false; type int8; } } }'),
  ],
  ['fault in an unused grouping', 'RFC 7950 7.3', yang11('m', 'grouping g { leaf a { type nosuch; } }')],
  [
    'augment of a uses with an absolute path',
    'RFC 7950 7',
    yang11('m', 'grouping g { container c; } uses g { augment "/m:c" { leaf x { type int8; } } }'),
  ],
  [
    'augment with a relative path',
    'RFC 7950 7',
    yang11('m', 'import n { prefix n; } augment "n:c";'),
    TARGET,
  ],
  [
    'action in a grouping that an RPC uses',
    'RFC 7950 7.15',
    yang11('m', 'grouping g { container c { action a; } } rpc r { input { uses g; } }'),
  ],
  ['action in an RPC', 'RFC 7950 7.15', yang11('m', 'rpc r { input { container c { action a; } } }')],
  ['action in a notification', 'RFC 7950 7.15', yang11('m', 'notification n { container c { action a; } }')],
  [
    'notification in an RPC',
    'RFC 7950 7.16',
    yang11('m', 'rpc r { input { container c { notification a; } } }'),
  ],
  ['input without data nodes', 'RFC 7950 14', yang11('m', 'rpc r { input { } }')],
  [
    'current identity with a deprecated base',
    'RFC 7950 7.21.2',
    yang11('m', 'identity b { status deprecated; } identity c { base b; }'),
  ],
  ['XPath variable', 'RFC 7950 6.4', yang11('m', 'leaf a { type string; must "$x = 1"; }')],
  [
    'YANG 1.1 function in YANG 1.0',
    'RFC 7950 6.4',
    yang10('m', `leaf a { type string; must "re-match(., 'a')"; }`),
  ],
  [
    'if-feature without white space',
    'RFC 7950 7.20.2',
    yang11('m', 'feature a; feature b; leaf x { if-feature "(a)or(b)"; type string; }'),
  ],
  [
    'feature with the name not',
    undefined,
    yang11('m', 'feature not; leaf x { if-feature "not not"; type string; }'),
  ],
  ['extension without its argument', 'RFC 7950 7.19', yang11('m', 'import x { prefix x; } x:e;'), EXTENSIONS],
  [
    'extension with an argument that it does not take',
    'RFC 7950 7.19',
    yang11('m', 'import x { prefix x; } x:n "a";'),
    EXTENSIONS,
  ],
  ['extension without its prefix', 'RFC 7950 7', yang11('m', 'import x { prefix x; } e "a";'), EXTENSIONS],
  [
    'deviate not-supported with another deviate',
    'RFC 7950 7',
    yang11(
      'm',
      `import n { prefix n; }
      deviation "/n:c" { deviate not-supported; deviate add { config false; } }`,
    ),
    TARGET,
  ],
];

describe('corner cases of the YANG RFCs', () => {
  for (const [title, rule, ...texts] of CASES)
    it(rule === undefined ? `accepts: ${title}` : `refuses: ${title} [${rule}]`, () => {
      const result = compileYang(texts.map((text, at) => ({ file: `${at}.yang`, text })));
      const rules = 'faults' in result ? result.faults.map((fault) => fault.rule) : [];
      if (rule === undefined) assert.deepEqual(rules, []);
      else assert.ok(rules.includes(rule), `the rules of the faults: ${rules.join(', ') || '(none)'}`);
    });

  it('accepts a pattern with a group of Perl, which published modules use, with a warning', () => {
    const result = compileYang([
      { file: 'm.yang', text: yang11('m', 'leaf a { type string { pattern "(?:ab)"; } }') },
    ]);
    assert.ok('modules' in result);
    assert.match(result.modules[0]?.warnings[0]?.message ?? '', /XSD does not know/);
  });
});
