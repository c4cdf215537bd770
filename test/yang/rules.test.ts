import assert from 'node:assert/strict';
import { assertRefused, compileText, compileTexts, yang10, yang11 } from '../support/yang.js';

const LEAF = 'leaf a { type string; }';

/** Text of a submodule of `m`. */
function submodule(name: string, body: string, version = '1'): string {
  return `submodule ${name} { yang-version ${version}; belongs-to m { prefix m; } ${body} }`;
}

/** Rules of RFC 6020 and RFC 7950 with texts that violate them. The first text is the one that violates the rule. */
const VIOLATIONS: Readonly<
  Record<string, readonly (readonly [rule: string, texts: readonly string[], expected: RegExp])[]>
> = {
  'names and statements': [
    [
      'RFC 6020 12: a name that begins with xml',
      [yang10('m', 'leaf Xml-a { type string; }')],
      /begins with "xml"/,
    ],
    [
      '7950 6.1.3: a quote in an unquoted string',
      [yang11('m', `leaf a { type string; default b'c; }`)],
      /a quote inside/,
    ],
    [
      '7950 6.1.3: an unquoted end of a comment',
      [yang11('m', 'leaf a { type string; default b*/c; }')],
      /"\*\/" needs quotes/,
    ],
    [
      '7950 7.1.9: the 29th of February of a common year',
      [yang11('m', 'revision 2018-02-29;')],
      /"2018-02-29" is not a date/,
    ],
    ['7950 14: an input without data', [yang11('m', 'rpc r { input { } }')], /"input" needs a data node/],
    [
      '7950 14: a plus sign in a range',
      [yang11('m', 'leaf a { type int8 { range "+1..5"; } }')],
      /"\+1" is not a boundary/,
    ],
    [
      '7950 14: a leading zero in a range',
      [yang11('m', 'leaf a { type int8 { range "01..5"; } }')],
      /"01" is not a boundary/,
    ],
  ],
  extensions: [
    [
      '7950 6.3.1: an unknown prefix',
      [yang11('m', 'x:foo "bar";')],
      /the prefix "x" refers to no imported module/,
    ],
    [
      '7950 6.3.1: an unknown extension',
      [yang11('m', 'm:foo "bar";')],
      /the module "m" defines no extension "foo"/,
    ],
    [
      '7950 6.3.1: an extension of another module than the prefix says',
      [yang11('m', 'import n { prefix n; } m:e;'), yang11('n', 'extension e;')],
      /the module "m" defines no extension "e"/,
    ],
    [
      '7950 7.19: an extension without its argument',
      [yang11('m', 'extension e { argument a; } m:e;')],
      /"m:e" needs an argument, its a/,
    ],
    [
      '7950 7.19: an extension with a superfluous argument',
      [yang11('m', 'extension e; m:e "x";')],
      /"m:e" takes no argument/,
    ],
    [
      '7950 14: an unknown keyword in an extension',
      [yang11('m', 'extension e; m:e { foo; }')],
      /"foo" is not a statement/,
    ],
  ],
  versions: [
    [
      '7950 12: YANG 1.0 that imports YANG 1.1 by revision',
      [yang10('m', 'import n { prefix n; revision-date 2024-01-31; }'), yang11('n', 'revision 2024-01-31;')],
      /cannot import the YANG 1.1 module "n" by revision/,
    ],
    [
      '7950 12: a submodule of another version',
      [yang11('m', 'include s;'), submodule('s', '')],
      /"m" is YANG 1.1, and its submodule "s" is YANG 1/,
    ],
    [
      '6020 5.1: a submodule that uses a definition of its module',
      [yang10('m', 'include s; typedef t { type string; }'), submodule('s', 'leaf a { type t; }')],
      /"s" does not include "m", which defines "t"/,
    ],
    [
      '6020 5.1: a submodule that uses a definition of a submodule it does not include',
      [
        yang10('m', 'include s; include t;'),
        submodule('s', 'container c { uses g; }'),
        submodule('t', `grouping g { ${LEAF} }`),
      ],
      /"s" does not include "t", which defines "g"/,
    ],
    [
      '6020 9.12: empty in a union',
      [yang10('m', 'leaf a { type union { type empty; } }')],
      /type "empty" in a union needs/,
    ],
    [
      '6020 9.12: a leafref in a union',
      [yang10('m', `${LEAF} leaf b { type union { type leafref { path "../a"; } } }`)],
      /type "leafref" in a union needs/,
    ],
    [
      '6020 9.9: require-instance of a leafref',
      [yang10('m', `${LEAF} leaf b { type leafref { path "../a"; require-instance false; } }`)],
      /in a leafref needs "yang-version 1.1"/,
    ],
    [
      '7950 12: a function of YANG 1.1',
      [yang10('m', `identity i; leaf a { type string; must "derived-from(., 'm:i')"; }`)],
      /the function "derived-from" needs "yang-version 1.1"/,
    ],
  ],
  types: [
    ['7950 7.3: a typedef of itself', [yang11('m', 'typedef t { type t; }')], /"t" is derived from itself/],
    [
      '7950 7.3: a typedef of an unknown type that nothing uses',
      [yang11('m', 'typedef t { type u; }')],
      /there is no type "u"/,
    ],
    [
      '7950 7.3.4: a default that a typedef excludes',
      [yang11('m', 'typedef t { type int8; default 5; } typedef u { type t { range "6..9"; } }')],
      /the default "5" of "u" does not fit its type/,
    ],
    [
      '7950 9.8: a default that is not base64',
      [yang11('m', 'leaf a { type binary; default "A*"; }')],
      /it is not base64/,
    ],
    [
      '7950 7.7.2: two defaults with one value',
      [yang11('m', 'leaf-list a { type int8; default 1; default +1; }')],
      /the same default twice/,
    ],
  ],
  leafrefs: [
    [
      '7950 9.9.2: a predicate with a literal',
      [
        yang11(
          'm',
          `list l { key k; leaf k { type string; } } leaf b { type leafref { path "/m:l[m:k='x']/m:k"; } }`,
        ),
      ],
      /is not expected/,
    ],
    [
      '7950 9.9.2: a predicate on a leaf that is no key',
      [
        yang11(
          'm',
          `list l { key k; leaf k { type string; } ${LEAF} }
           leaf b { type leafref { path "/m:l[m:a = current()/../b]/m:k"; } }`,
        ),
      ],
      /"m:a" is not a key of the list "l"/,
    ],
    [
      '7950 9.9.2: a predicate whose value is no leaf',
      [
        yang11(
          'm',
          `list l { key k; leaf k { type string; } }
           leaf b { type leafref { path "/m:l[m:k = current()/../c]/m:k"; } }`,
        ),
      ],
      /the value of the key "m:k" is not a leaf/,
    ],
    [
      '7950 9.9.2: deref()',
      [
        yang11(
          'm',
          `${LEAF} leaf b { type leafref { path "../a"; } } leaf c { type leafref { path "deref(../b)/../a"; } }`,
        ),
      ],
      /is not expected/,
    ],
    [
      '7950 6.4.1: a name without a prefix in the path of a typedef of another module',
      [
        yang11('m', 'import k { prefix k; } leaf b { type k:r; }'),
        yang11(
          'k',
          `container kc { list li { key name; leaf name { type string; } } }
          typedef r { type leafref { path "/k:kc/li/k:name"; } }`,
        ),
      ],
      /there is no such node/,
    ],
  ],
  'groupings, augments and deviations': [
    [
      '7950 7.12: a grouping that uses itself',
      [yang11('m', 'grouping g { uses g; }')],
      /the grouping "g" uses itself/,
    ],
    [
      '7950 7.12: groupings that use each other',
      [yang11('m', 'grouping g { uses h; } grouping h { uses g; }')],
      /uses itself/,
    ],
    [
      '7950 7.12: a fault in a grouping that nothing uses',
      [yang11('m', 'grouping g { leaf a { type nope; } }')],
      /there is no type "nope"/,
    ],
    [
      '7950 7.12: a default in a grouping that nothing uses',
      [yang11('m', 'grouping g { leaf a { type int8; default x; } }')],
      /does not fit its type/,
    ],
    [
      '7950 7.17: an absolute path in an augment of a uses',
      [yang11('m', `grouping g { container c; } uses g { augment "/c" { ${LEAF} } }`)],
      /"\/c" must not begin with "\/"/,
    ],
    [
      '7950 7.17: a relative path in an augment',
      [yang11('m', `container c; augment "m:c" { ${LEAF} }`)],
      /"m:c" must begin with "\/"/,
    ],
    [
      '7950 7.20.3: a relative path in a deviation',
      [yang11('m', 'container c; deviation "m:c" { deviate not-supported; }')],
      /must begin with "\/"/,
    ],
    [
      '7950 7.20.3: another deviate beside not-supported',
      [yang11('m', `${LEAF} deviation /m:a { deviate not-supported; deviate add { units x; } }`)],
      /no other "deviate" is allowed/,
    ],
  ],
  structures: [
    [
      '8040 8: yang-data that is no container',
      [
        yang11('m', 'import ietf-restconf { prefix rc; } rc:yang-data d { leaf-list a { type string; } }'),
        yang11('ietf-restconf', 'extension yang-data { argument name; }'),
      ],
      /yang-data holds exactly one container/,
    ],
    [
      '8791 2: augment-structure of a data node',
      [
        yang11(
          'm',
          `import ietf-yang-structure-ext { prefix sx; } container c; sx:augment-structure "/m:c" { ${LEAF} }`,
        ),
        yang11(
          'ietf-yang-structure-ext',
          'extension structure { argument name; } extension augment-structure { argument path; }',
        ),
      ],
      /"\/m:c" is not in a structure/,
    ],
  ],
  operations: [
    [
      '7950 7.15: an action in an rpc',
      [yang11('m', `rpc r { input { container c { action a; } } }`)],
      /the action "a" is not allowed in the rpc "r"/,
    ],
    [
      '7950 7.15: an action of a grouping in an rpc',
      [yang11('m', `grouping g { container c { action a; } } rpc r { output { uses g; } }`)],
      /the action "a" is not allowed in the rpc "r"/,
    ],
    [
      '7950 7.15: an action in a notification',
      [yang11('m', `notification n { container c { action a; } }`)],
      /not allowed in the notification "n"/,
    ],
    [
      '7950 7.15: an action of a grouping at the top level',
      [yang11('m', `grouping g { action a; } uses g;`)],
      /at the top level/,
    ],
    [
      '7950 7.16: a notification in an rpc',
      [yang11('m', `rpc r { input { container c { notification n; } } }`)],
      /the notification "n" is not allowed in the rpc "r"/,
    ],
    [
      '7950 7.16: a notification of a grouping in a case',
      [yang11('m', `grouping g { notification n; } container c { choice d { case e { uses g; } } }`)],
      /is not allowed in a case/,
    ],
  ],
  'conditions and status': [
    [
      '7950 6.4.1: a variable in an XPath',
      [yang11('m', 'leaf a { type string; must "$x = 1"; }')],
      /no variables such as "\$x"/,
    ],
    [
      '7950 14: no white space between an operator and a parenthesis',
      [yang11('m', 'feature a; feature b; leaf c { if-feature "a and(b)"; type string; }')],
      /white space is missing/,
    ],
    [
      '7950 7.8.3: a unique of configuration and state',
      [
        yang11(
          'm',
          `list l { key k; unique "a b"; leaf k { type string; } ${LEAF} leaf b { config false; type string; } }`,
        ),
      ],
      /one leaf is configuration and another is state/,
    ],
    [
      '7950 7.21.2: a current list with an obsolete key',
      [yang11('m', 'list l { key k; leaf k { status obsolete; type string; } }')],
      /"k" of "l" is obsolete, but the list is current/,
    ],
    [
      '7950 7.21.2: a current identity with a deprecated base',
      [yang11('m', 'identity i { status deprecated; } identity j { base i; }')],
      /a definition that is current cannot refer/,
    ],
  ],
};

describe('the rules of YANG', () => {
  for (const [topic, violations] of Object.entries(VIOLATIONS))
    describe(topic, () => {
      for (const [rule, texts, expected] of violations)
        it(`refuse ${rule}`, () => {
          assertRefused(texts, expected);
        });
    });

  it('accept quotes in an unquoted string of YANG 1.0 (RFC 6020 6.1.3)', () => {
    compileText(yang10('m', `leaf a { type string; default b'c"d; }`));
  });

  it('accept features whose names are operators (RFC 7950 section 14)', () => {
    const features = 'feature not; feature and; feature or;';
    for (const expression of ['not', 'not not', 'not and and', 'or or (and)', 'not or'])
      compileText(yang11('m', `${features} leaf a { if-feature "${expression}"; type string; }`));
  });

  it('accept a leaf-list of the type empty in YANG 1.0 (RFC 6020 9.11)', () => {
    compileText(yang10('m', 'leaf-list a { type empty; }'));
  });

  it('accept a list without a key and a leafref to the outside in a grouping that nothing uses', () => {
    compileText(
      yang11('m', `grouping g { list l { ${LEAF} } leaf b { type leafref { path "../../x"; } } action c; }`),
    );
  });

  it('accept definitions of other submodules in YANG 1.1, and of included ones in YANG 1.0', () => {
    const types = 'typedef t { type string; }';
    compileTexts([
      yang11('m', 'include s; include t;'),
      submodule('s', 'leaf a { type t; }', '1.1'),
      submodule('t', types, '1.1'),
    ]);
    compileTexts([
      yang10('m', 'include s; include t;'),
      submodule('s', 'include t; leaf a { type t; }'),
      submodule('t', types),
    ]);
  });

  it('warn about a status below an obsolete node (RFC 7950 7.21.2 speaks of references)', () => {
    const { warnings } = compileText(
      yang11('m', `container c { status obsolete; leaf a { type string; status deprecated; } }`),
    );
    assert.match(
      warnings[0]?.message ?? '',
      /the status "deprecated" has no effect inside a statement that is obsolete/,
    );
  });

  it('warn about an augment without data nodes (RFC 7950 section 14)', () => {
    const { warnings } = compileText(yang11('m', 'container c; augment /m:c { description "none"; }'));
    assert.match(warnings[0]?.message ?? '', /"augment" needs a data node inside/);
  });

  it('warn about an identityref without identities, with the names of its bases', () => {
    const { warnings } = compileText(yang11('m', 'identity i; leaf a { type identityref { base i; } }'));
    assert.deepEqual(warnings, [
      {
        path: '/m:a',
        message:
          'no identity is derived from "m:i", so no value is valid; give the modules that define such identities, or name them as deviations',
      },
    ]);
  });

  it('warn about a group of Perl in a pattern, which a published IEEE module has (RFC 7950 9.4.5)', () => {
    const { warnings } = compileText(yang11('m', `leaf a { type string { pattern '(?:a|b)c'; } }`));
    assert.match(
      warnings[0]?.message ?? '',
      /the pattern "\(\?:a\|b\)c" has a group "\(\?:", which XSD does not know/,
    );
  });

  it('warn about a mandatory choice without cases (RFC 7950 7.9.4)', () => {
    const { warnings } = compileText(yang11('m', 'container c { choice d { mandatory true; } }'));
    assert.match(warnings[0]?.message ?? '', /the choice is mandatory, but no given module adds a case/);
  });
});
