import assert from 'node:assert/strict';
import { asModule, bodyCheckOf, compileBody, documentCheckOf, faultsOf, yang11 } from '../../support/yang.js';

const IDENTITIES = 'identity base; identity one { base base; }';

const bodyWith = (must: string): string =>
  `${IDENTITIES} container c { leaf k { type identityref { base base; } } leaf a { type string; must ${JSON.stringify(must)}; } }`;

describe('the static checks of an expression', () => {
  for (const [must, fault] of [
    ["not(count('x'))", /the first argument of "count" must be a node set, not a string/],
    ['sum(1 + 2) = 3', /"sum" must be a node set, not a number/],
    ['local-name(true())', /"local-name" must be a node set, not a Boolean/],
    ['name(concat(., .))', /"name" must be a node set/],
    ["deref('x')", /"deref" must be a node set/],
    ["derived-from('m:one', 'm:base')", /"derived-from" must be a node set/],
    ['enum-value(1)', /"enum-value" must be a node set/],
    ["bit-is-set('a', 'a')", /"bit-is-set" must be a node set/],
    ["../k | 'x'", /an operand of "\|" must be a node set, not a string/],
    ['(../k = 1)/a', /what a predicate or "\/" follows must be a node set/],
    ["string('x')[1]", /must be a node set, not a string/],
    ["../k[count('x')]", /"count" must be a node set/],
    ["derived-from-or-self(../k, 'zz:one')", /the prefix "zz" refers to no imported module/],
    ["../k[derived-from(., 'zz:one')]", /the prefix "zz" refers to no imported module/],
  ] as const)
    it(`refuse ${must}`, () => {
      assert.match(faultsOf([asModule(bodyWith(must))]).join(), fault);
      const condition = bodyWith('true()').replace(
        'leaf a {',
        `leaf b { when ${JSON.stringify(must)}; type int8; } leaf a {`,
      );
      assert.match(faultsOf([asModule(condition)]).join(), fault);
    });

  for (const [must, warning] of [
    [
      "derived-from-or-self(../k, 'm:onee')",
      /there is no identity "m:onee", so derived-from-or-self\(\) is always false/,
    ],
    ["derived-from(../k, 'none')", /there is no identity "none"/],
    ["not(re-match(., '('))", /the pattern "\(" is not an XSD regular expression.*; no value matches it/],
    ["re-match(., '(?i)a')", /is not an XSD regular expression/],
  ] as const)
    it(`warn of ${must}`, () => {
      assert.match(compileBody(bodyWith(must)).warnings[0]?.message ?? '', warning);
    });

  it('accept node sets of all kinds, and identities by both forms of their names', () => {
    for (const must of [
      'count(../k | current()) > 0',
      'count((../k | .)[1]) = 1',
      'count(id(.)) = 0',
      'name() or local-name(.) or namespace-uri()',
      'count(deref(../k)) = 0',
      "derived-from(../k, 'base') or derived-from(../k, 'm:base')",
      "re-match(., '[a-z]+') and re-match(., ../k)",
      'derived-from(../k, string(.))',
    ])
      assert.deepEqual(
        compileBody(bodyWith(must)).warnings.filter(({ message }) => !message.startsWith('must "')),
        [],
        must,
      );
  });

  it('find an identity without a prefix in the module that uses a grouping', () => {
    const grouping = yang11('g', `grouping g { leaf x { when "derived-from(../k, 'mine')"; type int8; } }`);
    const user = asModule(
      'import g { prefix g; } identity mine; leaf k { type identityref { base mine; } } uses g:g;',
    );
    assert.deepEqual(faultsOf([user, grouping]), []);
  });
});

describe('the function name()', () => {
  const OTHER = yang11('other', 'container top { leaf l { type string; } }');
  const check = (must: string) =>
    documentCheckOf([
      asModule(
        `import other { prefix o; } augment "/o:top" { leaf a { type string; must ${JSON.stringify(must)}; } }`,
      ),
      OTHER,
    ])({ 'other:top': { l: 'x', 'm:a': 'y' } });

  it('has the prefix by which the text imports the module of a node', () => {
    assert.deepEqual(check("name(../o:l) = 'o:l'"), []);
    assert.deepEqual(check("name(..) = 'o:top'"), []);
    assert.equal(check("name(../o:l) = 'l'").length, 1);
  });

  it('has no prefix for a node of the module of names without one, as RFC 6728 expects', () => {
    assert.deepEqual(check("name() = 'a' and local-name(../o:l) = 'l'"), []);
    const own = bodyCheckOf(`container c { leaf a { type string; must "name(..) = 'c'"; } }`);
    assert.deepEqual(own({ 'a:c': { a: 'x' } }), []);
  });

  it('has the own prefix of a module that the text does not import', () => {
    const third = yang11('third', 'import other { prefix o; } augment "/o:top" { leaf t { type string; } }');
    const texts = [
      asModule(
        `import other { prefix o; } augment "/o:top" { leaf a { type string; must "name(../*[local-name() = 't']) = 'third:t'"; } }`,
      ),
      OTHER,
      third,
    ];
    assert.deepEqual(documentCheckOf(texts)({ 'other:top': { 'm:a': 'y', 'third:t': 'z' } }), []);
  });
});
