import assert from 'node:assert/strict';
import { asModule, assertRefused, compileBody, compileText, faultsOf, yang10 } from '../support/yang.js';

const LEAF = 'leaf a { type string; }';

describe('the YANG grammar', () => {
  for (const [text, expected] of [
    [asModule('leave a;'), /"leave" is not a statement/],
    [asModule('type string;'), /"type" is not allowed inside "module"/],
    [asModule('leaf a { type string; type string; }'), /a second "type"/],
    [asModule('leaf a;'), /"leaf" needs a "type" inside/],
    [asModule('leaf { type string; }'), /"leaf" needs an argument/],
    [asModule('leaf 1a { type string; }'), /"1a" is not an identifier/],
    [asModule('leaf a { type string; mandatory yes; }'), /"yes" is not "true" or "false"/],
    [`module m { ${LEAF} namespace "urn:m"; prefix m; }`, /is not allowed after "leaf"/],
    [`${asModule(LEAF)} module n;`, /follows the end of the module/],
    ['', /1:1 the text is empty or has only comments/],
    ['// module m {}\n/* none */', /1:1 the text is empty or has only comments/],
    [
      'submodule s { belongs-to m { prefix m; } }',
      /"s" is only a part of the module "m"; give the text of "m" as well/,
    ],
    [LEAF, /begins with "module" or "submodule", not with "leaf"/],
    [asModule('description "\\*";'), /unknown escape/],
    [yang10('m', 'anydata a;'), /"anydata" inside "module" needs "yang-version 1.1"/],
    [yang10('m', 'container c { action a; }'), /needs "yang-version 1.1"/],
    [yang10('m', 'identity a; identity b; identity c { base a; base b; }'), /a second "base"/],
    [asModule('deviation /m:a { deviate delete { config true; } }'), /is not allowed inside/],
    [asModule('leaf a { type enumeration { enum "x "; } }'), /must not begin or end/],
  ] as const)
    it(`refuses: ${expected.source}`, () => {
      assertRefused([text], expected);
    });

  it('keeps an unknown escape in YANG 1.0 unchanged', () => {
    const { schema } = compileText(yang10('m', 'leaf a { type string { pattern "\\*"; } }'));
    assert.equal((schema['properties'] as Record<string, { pattern?: string }>)['m:a']?.pattern, '^\\*$');
  });

  it('accepts the version with and without quotes', () => {
    for (const version of ['1.1', '"1.1"', "'1.1'"])
      compileText(`module m { yang-version ${version}; namespace "urn:m"; prefix m; anydata a; }`);
  });

  it('accepts keywords as names, and names with dots, hyphens and underscores', () => {
    compileBody('container container { leaf leaf { type string; } leaf _a.b-c { type string; } }');
  });

  it('accepts identifiers that begin with xml in YANG 1.1', () => {
    compileBody('leaf xml-thing { type string; }');
  });

  it('accepts statements of extensions with any content', () => {
    const text = asModule(
      'extension e { argument a; } m:e "x" { m:e "y"; leaf b { type string; } } leaf a { m:e "z"; type string; }',
    );
    const { warnings } = compileText(text);
    const found = warnings.map(({ path, message }) => `${path} ${message.slice(0, 19)}`);
    assert.deepEqual(found, ['/m:a the extension "m:e"']);
  });

  it('reports all faults of all texts at once, each with its location', () => {
    const faults = faultsOf([
      'module a {\n  namespace "urn:a"; prefix a;\n  leaf x;\n}\n',
      'module b {\n  namespace "urn:b"; prefix b;\n  import missing { prefix m; }\n  leef y { type string; }\n}\n',
    ]);
    assert.deepEqual(faults, [
      '0.yang:3:3 "leaf" needs a "type" inside',
      '1.yang:3:3 module "missing" is missing; give its text as well',
      '1.yang:4:3 "leef" is not a statement of YANG',
    ]);
  });
});
