import assert from 'node:assert/strict';
import { compileYang } from '../../src/yang/compile.js';
import { compileBody, compileTexts, sourcesOf, yang10, yang11 } from '../support/yang.js';

const LEAF = 'leaf a { type string; }';

/** Text of a submodule of `m`. */
function submodule(name: string, body: string, version = '1'): string {
  return `submodule ${name} { yang-version ${version}; belongs-to m { prefix m; } ${body} }`;
}

/** Returns the texts as modules: one that is not a whole module is the body of the YANG 1.1 module `m`. */
const modulesOf = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => (/^(?:sub)?module /.test(text) ? text : yang11('m', text)));

/** Rules of the RFCs with the fault of a module that violates them. Public compilers disagree about many of them. */
const VIOLATIONS: readonly (readonly [rule: string, fault: RegExp, ...texts: readonly string[]])[] = [
  // names and statements
  ['RFC 6020 12', /begins with "xml"/, yang10('m', 'leaf Xml-a { type string; }')],
  ['RFC 7950 6.1.3', /a quote inside/, "leaf a { type string; default b'c; }"],
  ['RFC 7950 6.1.3', /"\*\/" needs quotes/, 'leaf a { type string; default b*/c; }'],
  ['RFC 7950 7', /"2018-02-29" is not a date/, 'revision 2018-02-29;'],
  ['RFC 7950 14', /"input" needs a data node/, 'rpc r { input { } }'],
  ['RFC 7950 9.2.4', /"01" is not a boundary/, 'leaf a { type int8 { range "01..5"; } }'],
  // extensions
  ['RFC 7950 6.3.1', /the prefix "x" refers to no imported module/, 'x:foo "bar";'],
  ['RFC 7950 6.3.1', /the module "m" defines no extension "foo"/, 'm:foo "bar";'],
  [
    'RFC 7950 6.3.1',
    /the module "m" defines no extension "e"/,
    'import n { prefix n; } m:e;',
    yang11('n', 'extension e;'),
  ],
  ['RFC 7950 7.19', /"m:e" needs an argument, its a/, 'extension e { argument a; } m:e;'],
  ['RFC 7950 7.19', /"m:e" takes no argument/, 'extension e; m:e "x";'],
  ['RFC 7950 7', /"foo" is not a statement/, 'extension e; m:e { foo; }'],
  // includes and deviations
  ['RFC 7950 7.1.6', /"s" cannot be included in "s"/, 'include s;', submodule('s', 'include s;', '1.1')],
  ['RFC 7950 7.1.6', /"m" cannot be included in "m"/, 'include m;'],
  [
    'RFC 7950 7.1.6',
    /"m" cannot be included in "s"/,
    yang10('m', 'include s;'),
    submodule('s', 'include m;'),
  ],
  ...[
    'deviation DEVIATED { deviate not-supported; } deviation DEVIATED { deviate add { units x; } }',
    'deviation DEVIATED { deviate add { units x; } } deviation DEVIATED { deviate not-supported; }',
  ].map(
    (body) =>
      [
        'RFC 7950 7.20.3.2',
        /another deviation says that "a" is not supported/,
        `import n { prefix n; } ${body.replaceAll('DEVIATED', '/n:a')}`,
        yang11('n', LEAF),
      ] as const,
  ),
  // versions
  [
    'RFC 7950 12',
    /cannot import the YANG 1.1 module "n" by revision/,
    yang10('m', 'import n { prefix n; revision-date 2024-01-31; }'),
    yang11('n', 'revision 2024-01-31;'),
  ],
  ['RFC 7950 12', /"m" is YANG 1.1, and its submodule "s" is YANG 1/, 'include s;', submodule('s', '')],
  [
    'RFC 6020 5.1',
    /"s" does not include "m", which defines "t"/,
    yang10('m', 'include s; typedef t { type string; }'),
    submodule('s', 'leaf a { type t; }'),
  ],
  [
    'RFC 6020 5.1',
    /"s" does not include "t", which defines "g"/,
    yang10('m', 'include s; include t;'),
    submodule('s', 'container c { uses g; }'),
    submodule('t', 'grouping g { leaf a { type string; } }'),
  ],
  ['RFC 6020 9.12', /type "empty" in a union needs/, yang10('m', 'leaf a { type union { type empty; } }')],
  [
    'RFC 6020 9.12',
    /type "leafref" in a union needs/,
    yang10('m', 'leaf a { type string; } leaf b { type union { type leafref { path "../a"; } } }'),
  ],
  [
    'RFC 6020 9.9',
    /in a leafref needs "yang-version 1.1"/,
    yang10('m', 'leaf a { type string; } leaf b { type leafref { path "../a"; require-instance false; } }'),
  ],
  [
    'RFC 7950 6.4',
    /the function "derived-from" needs "yang-version 1.1"/,
    yang10('m', `identity i; leaf a { type string; must "derived-from(., 'm:i')"; }`),
  ],
  // types
  ['RFC 7950 7.3', /"t" is derived from itself/, 'typedef t { type t; }'],
  ['RFC 7950 7.3', /there is no type "u"/, 'typedef t { type u; }'],
  [
    'RFC 7950 7.3.4',
    /the default "5" of "u" does not fit its type/,
    'typedef t { type int8; default 5; } typedef u { type t { range "6..9"; } }',
  ],
  ['RFC 7950 7.6.4', /it is not base64/, 'leaf a { type binary; default "A*"; }'],
  ['RFC 7950 7.7.2', /the same default twice/, 'leaf-list a { type int8; default 1; default +1; }'],
  // leafrefs
  [
    'RFC 7950 9.9.2',
    /is not expected/,
    `list l { key k; leaf k { type string; } } leaf b { type leafref { path "/m:l[m:k='x']/m:k"; } }`,
  ],
  [
    'RFC 7950 9.9.2',
    /"m:a" is not a key of the list "l"/,
    `list l { key k; leaf k { type string; } leaf a { type string; } }
     leaf b { type leafref { path "/m:l[m:a = current()/../b]/m:k"; } }`,
  ],
  [
    'RFC 7950 9.9.2',
    /the value of the key "m:k" is not a leaf/,
    `list l { key k; leaf k { type string; } }
     leaf b { type leafref { path "/m:l[m:k = current()/../c]/m:k"; } }`,
  ],
  [
    'RFC 7950 9.9.2',
    /is not expected/,
    'leaf a { type string; } leaf b { type leafref { path "../a"; } } leaf c { type leafref { path "deref(../b)/../a"; } }',
  ],
  [
    'RFC 7950 9.9.2',
    /there is no such node/,
    'import k { prefix k; } leaf b { type k:r; }',
    yang11(
      'k',
      `container kc { list li { key name; leaf name { type string; } } }
     typedef r { type leafref { path "/k:kc/li/k:name"; } }`,
    ),
  ],
  // groupings, augments and deviations
  ['RFC 7950 7.12', /the grouping "g" uses itself/, 'grouping g { uses g; }'],
  ['RFC 7950 7.12', /uses itself/, 'grouping g { uses h; } grouping h { uses g; }'],
  ['RFC 7950 7.3', /there is no type "nope"/, 'grouping g { leaf a { type nope; } }'],
  ['RFC 7950 7.6.4', /does not fit its type/, 'grouping g { leaf a { type int8; default x; } }'],
  [
    'RFC 7950 7',
    /"\/c" must not begin with "\/"/,
    'grouping g { container c; } uses g { augment "/c" { leaf a { type string; } } }',
  ],
  ['RFC 7950 7', /"m:c" must begin with "\/"/, 'container c; augment "m:c" { leaf a { type string; } }'],
  ['RFC 7950 7', /must begin with "\/"/, 'container c; deviation "m:c" { deviate not-supported; }'],
  [
    'RFC 7950 7',
    /no other "deviate" is allowed/,
    'leaf a { type string; } deviation /m:a { deviate not-supported; deviate add { units x; } }',
  ],
  // structures
  [
    'RFC 8040 8',
    /yang-data holds exactly one container/,
    'import ietf-restconf { prefix rc; } rc:yang-data d { leaf-list a { type string; } }',
    'module ietf-restconf { yang-version 1.1; namespace "urn:ietf-restconf"; prefix ietf-restconf; extension yang-data { argument name; } }',
  ],
  [
    'RFC 8791 2',
    /"\/m:c" is not in a structure/,
    'import ietf-yang-structure-ext { prefix sx; } container c; sx:augment-structure "/m:c" { leaf a { type string; } }',
    'module ietf-yang-structure-ext { yang-version 1.1; namespace "urn:ietf-yang-structure-ext"; prefix ietf-yang-structure-ext; extension structure { argument name; } extension augment-structure { argument path; } }',
  ],
  [
    'RFC 7950 7.8.2',
    /"k" of "l" is state, but the list is configuration/,
    'grouping g { list l { config true; key k; leaf k { config false; type int8; } } }',
  ],
  // operations
  [
    'RFC 7950 7.15',
    /the action "a" is not allowed in the rpc "r"/,
    'rpc r { input { container c { action a; } } }',
  ],
  [
    'RFC 7950 7.15',
    /the action "a" is not allowed in the rpc "r"/,
    'grouping g { container c { action a; } } rpc r { output { uses g; } }',
  ],
  ['RFC 7950 7.15', /not allowed in the notification "n"/, 'notification n { container c { action a; } }'],
  ['RFC 7950 7.15', /at the top level/, 'grouping g { action a; } uses g;'],
  [
    'RFC 7950 7.16',
    /the notification "n" is not allowed in the rpc "r"/,
    'rpc r { input { container c { notification n; } } }',
  ],
  [
    'RFC 7950 7.16',
    /is not allowed in a case/,
    'grouping g { notification n; } container c { choice d { case e { uses g; } } }',
  ],
  // conditions and status
  ['RFC 7950 6.4', /no variables such as "\$x"/, 'leaf a { type string; must "$x = 1"; }'],
  [
    'RFC 7950 7.20.2',
    /white space is missing/,
    'feature a; feature b; leaf c { if-feature "a and(b)"; type string; }',
  ],
  [
    'RFC 7950 7.8.3',
    /one leaf is configuration and another is state/,
    'list l { key k; unique "a b"; leaf k { type string; } leaf a { type string; } leaf b { config false; type string; } }',
  ],
  [
    'RFC 7950 7.8.2',
    /"k" of "l" is obsolete, but the list is current/,
    'list l { key k; leaf k { status obsolete; type string; } }',
  ],
];

/** Valid modules that look as if they violated a rule. */
const VALID: Readonly<Record<string, readonly string[]>> = {
  'quotes in an unquoted string of YANG 1.0 (RFC 6020 6.1.3)': [
    yang10('m', `leaf a { type string; default b'c"d; }`),
  ],
  'a leaf-list of the type empty in YANG 1.0 (RFC 6020 9.11)': [yang10('m', 'leaf-list a { type empty; }')],
  'a list without a key and a leafref to the outside in a grouping that nothing uses': [
    `grouping g { list l { ${LEAF} } leaf b { type leafref { path "../../x"; } } action c; }`,
  ],
  'a key that is state in a grouping that nothing uses, because it may be used inside state': [
    'grouping g { list l { key k; leaf k { config false; type int8; } } }',
  ],
  'definitions of other submodules in YANG 1.1': [
    'include s; include t;',
    submodule('s', 'leaf a { type t; }', '1.1'),
    submodule('t', 'typedef t { type string; }', '1.1'),
  ],
  'definitions of included submodules in YANG 1.0': [
    yang10('m', 'include s; include t;'),
    submodule('s', 'include t; leaf a { type t; }'),
    submodule('t', 'typedef t { type string; }'),
  ],
};

describe('the rules of YANG', () => {
  for (const [rule, fault, ...texts] of VIOLATIONS)
    it(`refuse by ${rule}: ${fault.source}`, () => {
      const result = compileYang(sourcesOf(modulesOf(texts)));
      const faults = 'faults' in result ? result.faults : [];
      const isFound = faults.some((one) => one.rule === rule && fault.test(one.message));
      assert.ok(isFound, JSON.stringify(faults));
    });

  for (const [what, texts] of Object.entries(VALID))
    it(`accept ${what}`, () => {
      compileTexts(modulesOf(texts));
    });

  it('accept features whose names are operators (RFC 7950 section 14)', () => {
    const features = 'feature not; feature and; feature or;';
    for (const expression of ['not', 'not not', 'not and and', 'or or (and)', 'not or'])
      compileBody(`${features} leaf a { if-feature "${expression}"; type string; }`);
  });

  it('warn about a status below an obsolete node (RFC 7950 7.21.2 speaks of references)', () => {
    const { warnings } = compileBody(
      `container c { status obsolete; leaf a { type string; status deprecated; } }`,
    );
    const found = warnings[0]?.message ?? '';
    assert.match(found, /the status "deprecated" has no effect inside a statement that is obsolete/);
  });

  it('warn about an augment without data nodes (RFC 7950 section 14)', () => {
    const { warnings } = compileBody('container c; augment /m:c { description "none"; }');
    assert.match(warnings[0]?.message ?? '', /"augment" needs a data node inside/);
  });

  it('warn about an identityref without identities, with the names of its bases', () => {
    const { warnings } = compileBody('identity i; leaf a { type identityref { base i; } }');
    assert.deepEqual(warnings, [
      {
        path: '/m:a',
        message:
          'no identity is derived from "m:i", so no value is valid; give the modules that define such identities, or name them as deviations',
      },
    ]);
  });

  it('warn about a group of Perl in a pattern, which a published IEEE module has (RFC 7950 9.4.5)', () => {
    const { warnings } = compileBody(`leaf a { type string { pattern '(?:a|b)c'; } }`);
    const found = warnings[0]?.message ?? '';
    assert.match(found, /the pattern "\(\?:a\|b\)c" has a group "\(\?:", which XSD does not know/);
  });

  it('warn about a mandatory choice without cases (RFC 7950 7.9.4)', () => {
    const { warnings } = compileBody('container c { choice d { mandatory true; } }');
    assert.match(warnings[0]?.message ?? '', /the choice is mandatory, but no given module adds a case/);
  });
});
