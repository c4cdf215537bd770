import assert from 'node:assert/strict';
import { compileYang } from '../../src/yang/compile.js';
import { FaultList } from '../../src/yang/diagnostic.js';
import { textLibrary } from '../../src/yang/modules/library.js';
import {
  asModule,
  compileText,
  compileTexts,
  documentCheckOf,
  faultsOf,
  sourcesOf,
  yang11,
} from '../support/yang.js';

const ORDER = `module a { namespace "urn:a"; prefix a;
  revision 2024-01-01;
  description "after revision";
  container c { leaf one { type string; } }
}`;
const SLASH = `module a { namespace "urn:a"; prefix a;
  container c { leaf one { type string; } }
  augment "/a:c/" { leaf two { type string; } }
}`;

describe('a lenient compilation', () => {
  for (const [fault, text, warning] of [
    [
      'statements in the wrong order',
      ORDER,
      /^tolerated: 0\.yang:3:3: "description" is not allowed after "revision" \[RFC 7950 7\.1\.1\]$/,
    ],
    [
      'a slash at the end of the path of an augment',
      SLASH,
      /^tolerated: 0\.yang:3:3: augment: "\/a:c\/" is not a path of schema nodes \[RFC 6020 7\]$/,
    ],
  ] as const)
    it(`reports ${fault} as a warning`, () => {
      assert.equal(faultsOf([text]).length, 1);
      const { schema, warnings } = compileText(text, { lenient: true });
      assert.match(warnings[0]?.message ?? '', warning);
      assert.match(JSON.stringify(schema), /"one"/);
      // The same text is still refused by the next strict compilation.
      assert.equal(faultsOf([text]).length, 1);
    });

  it('adds the nodes of an augment whose path ends in a slash', () => {
    assert.match(JSON.stringify(compileText(SLASH, { lenient: true }).schema), /"two"/);
  });

  it('reads an operator of if-feature that is joined to a parenthesis', () => {
    const texts = [
      asModule(
        'feature a; feature b; leaf one { if-feature "a and not(b)"; type string; } leaf two { if-feature "(a)or b"; type string; }',
      ),
    ];
    assert.equal(faultsOf(texts).length, 2);
    const features = new Map([['m', new Set(['a', 'b'])]]);
    const { warnings, schema } = compileText(texts[0] ?? '', { lenient: true, features });
    assert.deepEqual(
      warnings.map(({ message }) => /^tolerated: .*white space is missing/.test(message)),
      [true, true],
    );
    assert.deepEqual(Object.keys(schema['properties'] ?? {}), ['m:two']);
  });

  it('refuses every other fault', () => {
    for (const path of ['/a:c//', '/', '/a:none/'])
      assert.equal(faultsOf([SLASH.replace('"/a:c/"', `"${path}"`)], { lenient: true }).length, 1, path);
    assert.equal(faultsOf([ORDER.replace('type string', 'type nothing')], { lenient: true }).length, 1);
  });

  for (const [what, body, warning] of [
    [
      'a pattern of PCRE',
      "leaf one { type string { pattern '(?i)on'; } }",
      /^tolerated: 0\.yang:1:\d+: the pattern "\(\?i\)on" is not an XSD regular expression: .*; it is not enforced \[/,
    ],
    [
      'a class with an intersection in an inverted pattern',
      "leaf one { type string { pattern '[a-z&&[^b]]' { modifier invert-match; } } }",
      /; it is not enforced/,
    ],
    [
      'an operator glued to a name',
      `leaf one { type string; must "'x' orcount(../one) = 1"; }`,
      /^tolerated: .*must: not an XPath 1\.0 expression: "orcount.*; it is not enforced/,
    ],
    [
      'a condition with a character that is no token',
      'leaf one { type string; when "a && b"; }',
      /not enforced/,
    ],
    ['an unknown prefix in a condition', 'leaf one { type string; must "../z:a"; }', /not enforced/],
    ['a value in place of nodes', `leaf one { type string; must "count('x')"; }`, /not enforced/],
    ['an unknown statement', 'leaf-listtwo { type string; } leaf one { type string; }', /it is left out/],
  ] as const)
    it(`does not enforce ${what}, and lists it once`, () => {
      const text = asModule(
        `typedef other { type string; } container c { ${body} } leaf two { type other; }`,
      );
      assert.equal(faultsOf([text]).length, 1);
      const { schema, warnings } = compileText(text, { lenient: true });
      const tolerated = warnings.filter(({ message }) => message.startsWith('tolerated: '));
      assert.equal(tolerated.length, 1);
      assert.match(tolerated[0]?.message ?? '', warning);
      assert.match(JSON.stringify(schema), /"one"/);
      assert.deepEqual(documentCheckOf([text], { lenient: true })({ 'm:c': { one: 'x' } }), []);
      assert.equal(faultsOf([text]).length, 1);
    });

  it('lists a pattern of a typedef once, however many leaves have it', () => {
    const text = asModule(
      "typedef t { type string { pattern 'a*+'; } } leaf a { type t; } leaf b { type t; }",
    );
    const { schema, warnings } = compileText(text, { lenient: true });
    assert.equal(warnings.length, 1);
    assert.match(JSON.stringify(schema), /"x-yang-pattern":"a\*\+"/);
    assert.doesNotMatch(JSON.stringify(schema), /"pattern"/);
  });

  it('lists the faults of each text of a device once, and those of imports with the first module', () => {
    const common = yang11('common', "typedef t { type string { pattern '(?i)a'; } }");
    const user = (name: string, pattern: string) =>
      yang11(name, `import common { prefix c; } leaf a { type c:t { pattern '${pattern}'; } }`);
    const library = textLibrary([{ file: 'common.yang', text: common }]);
    const modules = compileTexts([user('one', '(?i)b'), user('two', '(?i)c')], { library, lenient: true });
    const listed = modules.map(({ warnings }) =>
      warnings.map(({ message }) => /pattern "([^"]*)"/.exec(message)?.[1]),
    );
    assert.deepEqual(listed, [['(?i)b', '(?i)a'], ['(?i)c']]);
    const [datastore] = compileTexts([user('one', '(?i)b'), user('two', '(?i)c')], {
      library,
      lenient: true,
      target: 'datastore',
    });
    assert.equal(datastore?.warnings.length, 3);
  });

  const MISSING = `import gone { prefix g; } leaf one { type string; }`;

  for (const [what, body] of [
    ['nothing', ''],
    ['an extension', 'leaf two { g:note "x"; type string; }'],
    ['an unused typedef', 'typedef t { type g:t; }'],
    ['an unused grouping', 'grouping g { uses g:g; leaf x { type g:t; } }'],
    [
      'an augment and a deviation',
      'augment "/g:top" { leaf x { type int8; } } deviation "/g:top/g:x" { deviate not-supported; }',
    ],
    ['an identity', 'identity i { base g:i; }'],
    ['conditions', `leaf two { when "/g:top"; type string; must "derived-from(., 'g:i')"; }`],
  ] as const)
    it(`accepts a missing import that only ${what} refers to`, () => {
      const text = asModule(`${MISSING} ${body}`);
      assert.match(faultsOf([text]).join(), /module "gone" is missing; give its text as well/);
      const { schema, warnings } = compileText(text, { lenient: true });
      assert.match(
        warnings.map(({ message }) => message).join('\n'),
        /^tolerated: 0\.yang:1:\d+: module "gone" is missing; nothing uses what it defines/,
      );
      assert.match(JSON.stringify(schema), /"one"/);
    });

  for (const body of [
    'leaf two { type g:t; }',
    'uses g:g;',
    'leaf two { type identityref { base g:i; } }',
    'leaf two { type leafref { path "/g:a"; } }',
    'leaf two { if-feature g:f; type int8; }',
  ])
    it(`names the missing module that data needs: ${body}`, () => {
      const faults = faultsOf([asModule(`${MISSING} ${body}`)], { lenient: true }).join();
      assert.match(faults, /needs the module "gone", which is missing; give its text as well/);
    });

  it('refuses a missing import while a caller may find the module', () => {
    const compiled = compileYang(sourcesOf([asModule(MISSING)]), { lenient: true, bundled: false });
    assert.ok('faults' in compiled);
    assert.deepEqual(
      compiled.faults.map(({ missing }) => missing?.name),
      ['gone'],
    );
  });

  it('counts also the faults that it does not keep, so that no faulty text passes for a valid one', () => {
    const faults = new FaultList({ isLenient: true });
    const source = { file: 'a.yang', text: '' };
    for (let line = 1; line <= 500; line += 1)
      faults.addHarmless({ source, line, column: 1 }, 'rule', 'fault');
    assert.equal(faults.added, 500);
    assert.ok(faults.tolerated().length < 500);
  });

  it('adds no warning to a valid text', () => {
    const text = ORDER.replace(/description.*/, '');
    assert.deepEqual(compileText(text, { lenient: true }), compileText(text));
  });
});
