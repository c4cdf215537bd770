import assert from 'node:assert/strict';
import { column } from '../support/columns.js';
import {
  asModule,
  assertBodyRefused,
  assertData,
  assertRefused,
  compileBody,
  compileText,
  compileTexts,
  faultsOf,
  yang10,
  yang11,
} from '../support/yang.js';

describe('modules', () => {
  it('compile in any order, each to its own schema', () => {
    const types = yang11('types', 'typedef t { type int8; }');
    const user = yang11('user', 'import types { prefix p; } leaf a { type p:t; }');
    const modules = compileTexts([user, types]);
    assert.deepEqual(column(modules, 'module'), ['user', 'types']);
    assertData(modules[0]!, [{ 'user:a': 5 }], [{ 'user:a': 500 }]);
    assertData(modules[1]!, [{}], [{ 'types:a': 1 }]);
  });

  it('count once if a text is given again under another file name', () => {
    const base = yang11('base', 'leaf a { type int8; }');
    const text = asModule('import base { prefix b; } deviation /b:a { deviate add { default 5; } }');
    const modules = compileTexts([text, base, text, base]);
    assert.deepEqual(column(modules, 'module'), ['m', 'base']);
  });

  it('report all missing modules at once', () => {
    const text = asModule(
      'import a { prefix a; } import b { prefix b; revision-date 2024-01-31; } include c;',
    );
    assert.deepEqual(
      faultsOf([text]).map((fault) => fault.replace(/^\S+ /, '')),
      [
        'module "a" is missing; give its text as well',
        'module "b@2024-01-31" is missing; give its text as well',
        'submodule "c" is missing; give its text as well',
      ],
    );
  });

  it('are refused if they import each other or themselves in a cycle', () => {
    const a = yang11('a', 'import b { prefix b; }');
    const b = yang11('b', 'import a { prefix a; }');
    assertRefused([a, b], /modules import each other in a cycle: a -> b -> a/);
    assertBodyRefused('import m { prefix x; }', /cycle: m -> m/);
  });

  it('are refused if they use one prefix for two modules', () => {
    assertRefused(
      [asModule('import a { prefix x; } import b { prefix x; }'), yang11('a', ''), yang11('b', '')],
      /the prefix "x" already refers to another module/,
    );
  });

  it('can be imported in two revisions at once', () => {
    const olderModule = yang11('t', 'revision 2020-01-01; typedef t { type int8; }');
    const newerModule = yang11('t', 'revision 2021-01-01; typedef t { type string; }');
    const user =
      asModule(`import t { prefix a; revision-date 2020-01-01; } import t { prefix b; revision-date 2021-01-01; }
       leaf x { type a:t; } leaf y { type b:t; }`);
    assertData(
      compileTexts([user, olderModule, newerModule])[0]!,
      [{ 'm:x': 1, 'm:y': 'z' }],
      [{ 'm:x': 'z' }, { 'm:y': 1 }],
    );
  });

  it('are imported in the newest revision by default, whatever the order of their revisions', () => {
    const olderModule = yang11('t', 'revision 2020-01-01; typedef t { type int8; }');
    const newerModule = yang11('t', 'revision 2019-01-01; revision 2021-01-01; typedef t { type string; }');
    const user = asModule('import t { prefix t; } leaf x { type t:t; }');
    assertData(compileTexts([user, newerModule, olderModule])[0]!, [{ 'm:x': 'z' }], [{ 'm:x': 1 }]);
  });

  it('consist of submodules that see each other', () => {
    const main = asModule('include s; include r; leaf a { type t; } leaf b { type u; }');
    const firstSubmodule =
      'submodule s { yang-version 1.1; belongs-to m { prefix x; } include r; typedef t { type x:u; } }';
    const secondSubmodule =
      'submodule r { yang-version 1.1; belongs-to m { prefix y; } typedef u { type int8; } leaf c { type t; } }';
    const [module, ...others] = compileTexts([firstSubmodule, main, secondSubmodule]);
    assert.deepEqual(others, []);
    assertData(module!, [{ 'm:a': 1, 'm:b': 2, 'm:c': 3 }], [{ 'm:c': 'x' }]);
  });

  it('include submodules through submodules in YANG 1.0 only', () => {
    const submodules = (version: string) => [
      `submodule s { yang-version ${version}; belongs-to m { prefix m; } include r; }`,
      `submodule r { yang-version ${version}; belongs-to m { prefix m; } typedef t { type int8; } }`,
    ];
    const body = 'include s; leaf a { type t; }';
    assertData(compileTexts([yang10('m', body), ...submodules('1')])[0]!, [], [{ 'm:a': 'x' }]);
    assertRefused([asModule(body), ...submodules('1.1')], /module "m" must include "r" itself/);
  });

  it('are refused with a submodule of another module', () => {
    const secondSubmodule = 'submodule s { belongs-to n { prefix n; } }';
    assertRefused([yang10('m', 'include s;'), secondSubmodule], /submodule "s" belongs to "n", not to "m"/);
  });

  it('are refused if a name is defined twice, hides an outer one or is built in', () => {
    assertBodyRefused('typedef t { type int8; } typedef t { type int8; }', /a second typedef "t"/);
    assertBodyRefused(
      'typedef t { type int8; } container c { typedef t { type int8; } }',
      /the name "t" is already defined/,
    );
    assertBodyRefused('typedef string { type int8; }', /"string" is a built-in type/);
  });

  it('resolve typedefs and groupings in the scope of rpcs, containers and lists', () => {
    const text =
      asModule(`rpc r { typedef t { type int8; } input { typedef u { type t; } leaf a { type u; } } }
       container c { typedef t { type string; } grouping g { leaf b { type t; } } list l { key b; uses g; } }`);
    const module = compileText(text);
    assertData(module, [{ 'm:c': { l: [{ b: 'x' }] } }], [{ 'm:c': { l: [{ b: 1 }] } }]);
    assertBodyRefused('container c { typedef t { type int8; } } leaf a { type t; }', /there is no type "t"/);
  });

  it('accept only the empty document if they contain only identities', () => {
    assertData(compileBody('identity a;'), [{}], [{ 'm:a': 1 }]);
  });

  it('are refused with a path as a name', () => {
    assertBodyRefused('import "../../etc/passwd" { prefix p; }', /is not an identifier/);
  });
});

describe('features', () => {
  const text = asModule(`feature a; feature b { if-feature a; } feature c;
     leaf x { if-feature "a and not c"; type string; } leaf y { if-feature "(b or c) and a"; type string; }
     leaf z { type enumeration { enum on; enum never { if-feature c; } } }`);
  const choose = (...names: string[]) => compileText(text, { features: new Map([['m', new Set(names)]]) });

  it('are all on by default', () => {
    assertData(compileText(text), [{ 'm:y': '', 'm:z': 'never' }], [{ 'm:x': '' }]);
  });

  it('remove the nodes and enums that need them, also through expressions', () => {
    assertData(choose('a'), [{ 'm:x': '', 'm:z': 'on' }], [{ 'm:y': '' }, { 'm:z': 'never' }]);
    assertData(choose('a', 'b'), [{ 'm:x': '', 'm:y': '' }]);
  });

  it('are off if a feature that they need is off', () => {
    assertData(choose('b'), [{}], [{ 'm:y': '' }]);
  });

  it('are refused with cycles, unknown names, and expressions in YANG 1.0', () => {
    assertBodyRefused('feature a { if-feature b; } feature b { if-feature a; }', /depends on itself/);
    assertBodyRefused('leaf a { if-feature nope; type string; }', /there is no feature "nope"/);
    assertRefused(
      [yang10('m', 'feature a; leaf x { if-feature "not a"; type string; }')],
      /needs "yang-version 1.1"/,
    );
    assertBodyRefused('feature a; leaf x { if-feature "a and"; type string; }', /a feature name is missing/);
  });
});
