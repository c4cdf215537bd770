import assert from 'node:assert/strict';
import { compileYang } from '../../src/yang/compile.js';
import {
  asModule,
  assertData,
  compileBody,
  compileText,
  compileTexts,
  judgeOf,
  yang11,
} from '../support/yang.js';

type Member = Record<string, unknown>;

const TEXT = asModule(`revision 2024-01-31;
   typedef name { type string { length "1..255"; pattern "[a-z]([a-z0-9-]*[a-z0-9])?(\\\\.[a-z]([a-z0-9-]*[a-z0-9])?)*"; } description "A name that is used in many places."; }
   container c {
     description "Some\n        text.\n\n        More."; reference "RFC 1";
     leaf a { type name; units bytes; default x; when "../b = 'y'"; must "m:b" { error-message "no b"; } }
     leaf b { type enumeration { enum y { description "yes"; } enum n; } status deprecated; mandatory true; }
     leaf c { type name; } leaf d { type name; }
     leaf s { config false; type int64; default 5; }
     list l { key k; ordered-by user; leaf v { type int8; } leaf k { type leafref { path "../../a"; } } }
     choice ch { case one { leaf one { type empty; } } leaf two { type binary; } }
   }`);

describe('the schema of a module', () => {
  const { schema, uiSchema, warnings, warningCounts, ...rest } = compileText(TEXT, { content: 'all' });
  const members = ((schema['properties'] as Record<string, Member>)['m:c']?.['properties'] ?? {}) as Record<
    string,
    Member
  >;

  it('names its module, revision and namespace', () => {
    assert.deepEqual(rest, { module: 'm', revision: '2024-01-31', namespace: 'urn:m', targets: [] });
    assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema');
  });

  it('contains what forms show: title, description, default, read-only, deprecated', () => {
    const found = (schema['properties'] as Record<string, Member>)['m:c']?.['description'];
    assert.equal(found, 'Some text.\n\nMore.');
    assert.deepEqual([members['a']?.['title'], members['a']?.['default']], ['a', 'x']);
    assert.deepEqual([members['s']?.['readOnly'], members['s']?.['default']], [true, '5']);
    assert.equal(members['b']?.['deprecated'], true);
  });

  it('contains all other properties of a node under x-yang', () => {
    assert.deepEqual(members['a']?.['x-yang'], {
      kind: 'leaf',
      module: 'm',
      type: 'name',
      units: 'bytes',
      when: [{ xpath: "../b = 'y'" }],
      must: [{ xpath: 'm:b', message: 'no b' }],
    });
    assert.deepEqual(members['l']?.['x-yang'], {
      kind: 'list',
      module: 'm',
      keys: ['k'],
      'ordered-by': 'user',
    });
    const items = members['l']['items'] as { properties: Record<string, Member> };
    assert.deepEqual(items.properties['k']?.['x-yang'], {
      kind: 'leaf',
      module: 'm',
      type: 'leafref',
      leafref: { path: '/m:c/a', 'require-instance': true },
    });
  });

  it('lists the keys of a list first', () => {
    const items = members['l']?.['items'] as { properties: Record<string, Member> };
    assert.deepEqual(Object.keys(items.properties), ['k', 'v']);
  });

  it('defines a frequently used type only once', () => {
    assert.equal(members['c']?.['$ref'], '#/$defs/m.name');
    assert.equal(members['d']?.['$ref'], '#/$defs/m.name');
    assert.deepEqual(Object.keys(schema['$defs'] as object), ['m.name']);
  });

  it('is written in draft-07 on request', () => {
    const draft07 = compileText(TEXT, { draft: '07', content: 'all' });
    assert.equal(draft07.schema['$schema'], 'http://json-schema.org/draft-07/schema#');
    const text = JSON.stringify(draft07.schema);
    assert.ok(text.includes('"allOf":[{"$ref":"#/definitions/m.name"}]') && !text.includes('$defs'));
  });

  it('comes with the order, widgets, enum texts and choices for forms', () => {
    const c = uiSchema['m:c'] as Member;
    assert.deepEqual(c['ui:order'], ['a', 'b', 'c', 'd', 's', 'l', 'one', 'two']);
    assert.deepEqual(c['b'], { 'ui:widget': 'radio', 'ui:enumDescriptions': ['yes', ''] });
    assert.deepEqual(c['ui:choices'], [
      {
        name: 'ch',
        cases: [
          { name: 'one', members: ['one'] },
          { name: 'two', members: ['two'] },
        ],
      },
    ]);
    assert.deepEqual((c['l'] as Member)['ui:options'], { entryTitle: ['k'] });
  });

  it('comes with a warning and a path for each rule that it does not enforce', () => {
    assert.deepEqual(
      warnings.map(({ path, message }) => `${path}: ${message}`),
      [
        `/m:c/a: when "../b = 'y'" is not enforced by the schema`,
        '/m:c/a: must "m:b" is not enforced by the schema',
        '/m:c/l: that keys are unique is enforced through x-yang.keys only',
        '/m:c/l/k: that the leafref\'s target "../../a" exists is not enforced by the schema',
      ],
    );
  });

  it('comes with the number of warnings by kind', () => {
    assert.deepEqual(warningCounts, { when: 1, must: 1, key: 1, leafref: 1 });
  });

  it('replaces prefixes in conditions by module names', () => {
    const base = yang11('base', 'leaf a { type string; }');
    const user = yang11('u', 'import base { prefix b; } leaf x { when "/b:a = \'b:c\'"; type string; }');
    const [module] = compileTexts([user, base]);
    const x = (module?.schema['properties'] as Record<string, Member>)['u:x'];
    assert.deepEqual((x?.['x-yang'] as Member)['when'], [{ xpath: "/base:a = 'b:c'" }]);
  });

  it('grows with the model and not with its expansion', () => {
    const leaves = Array.from(
      { length: 20 },
      (_, at) => `leaf l${at} { type string; description "leaf number ${at}"; }`,
    );
    const uses = Array.from({ length: 50 }, (_, at) => `container u${at} { uses g; }`);
    const compiled = compileBody(`grouping g { container inner { ${leaves.join(' ')} } } ${uses.join(' ')}`);
    assert.ok(JSON.stringify(compiled.schema).length < 15_000, `${JSON.stringify(compiled.schema).length}`);
    assertData(compiled, [{ 'm:u49': { inner: { l19: '' } } }], [{ 'm:u49': { inner: { l20: '' } } }]);
  });
});

describe('further targets of a module', () => {
  const text = asModule(`import ietf-restconf { prefix rc; } import ietf-yang-structure-ext { prefix sx; }
     rpc r { input { leaf a { type string; mandatory true; } anydata d; } output { leaf b { type int8; } } }
     notification n { leaf c { type string; } }
     rc:yang-data y { container e { list l { leaf x { type string; } } } }
     sx:structure s { leaf f { type leafref { path "/g"; } } leaf g { type int8; } }
     container top { list l { key k; leaf k { type string; } container in { leaf z { type int8; } }
       action go { input { leaf far { type int8; mandatory true; } } output { leaf done { type boolean; } } }
       choice c { case one { container deep { notification told { leaf t { type string; } } } } } } }`);
  const extensionModules = [
    'module ietf-restconf { namespace "urn:rc"; prefix rc; extension yang-data { argument name; } }',
    'module ietf-yang-structure-ext { namespace "urn:sx"; prefix sx; extension structure { argument name; } }',
  ];
  const compile = (options: object) => compileTexts([text, ...extensionModules], options)[0]!;

  it('are listed', () => {
    assert.deepEqual(compile({}).targets, [
      'rpc:r/input',
      'rpc:r/output',
      'notification:n',
      'action:/m:top/l/go/input',
      'action:/m:top/l/go/output',
      'notification:/m:top/l/deep/told',
      'structure:y',
      'structure:s',
    ]);
  });

  it('have separate schemas', () => {
    for (const [target, accepted, refused] of [
      ['rpc:r/input', { 'm:input': { a: '', d: {} } }, {}],
      ['rpc:r/output', { 'm:output': { b: 1 } }, { 'm:output': { a: '' } }],
      ['notification:n', { 'm:n': { c: '' } }, { 'm:n': { c: 1 } }],
      ['structure:y', { 'm:e': { l: [{ x: '' }, { x: '' }] } }, { 'm:e': { l: [{ y: 1 }] } }],
      ['action:/m:top/l/go/input', { 'm:input': { far: 1 } }, { 'm:input': {} }],
      ['action:/m:top/l/go/output', { 'm:output': { done: true } }, { 'm:output': { far: 1 } }],
      ['notification:/m:top/l/deep/told', { 'm:told': { t: '' } }, { 'm:told': { t: 1 } }],
      ['structure:s', { 'm:s': { f: 1 } }, { 'm:f': 1 }],
      ['structure:s', { 'm:s': { g: 1 } }, {}],
    ] as const)
      assertData(compile({ target }), [accepted], [refused]);
  });

  it('have forms of the same structure', () => {
    const input = { 'ui:order': ['a', 'd'], d: { 'ui:widget': 'json' } };
    for (const [options, uiSchema] of [
      [{ target: 'rpc:r/input' }, { 'ui:order': ['m:input'], 'm:input': input }],
      [{ target: 'notification:n' }, { 'ui:order': ['m:n'], 'm:n': { 'ui:order': ['c'] } }],
      [{ path: '/m:top/l/in' }, { 'ui:order': ['m:in'], 'm:in': { 'ui:order': ['z'] } }],
      [{ path: '/m:top/l/in/z' }, { 'ui:order': ['m:z'] }],
    ] as const)
      assert.deepEqual(compile(options).uiSchema, uiSchema);
  });

  it('have separate warnings', () => {
    const conditional = asModule(
      'notification n { leaf a { must "../b"; type string; } leaf b { type string; } }',
    );
    const [module] = compileTexts([conditional], { target: 'notification:n' });
    assert.match(JSON.stringify(module?.warnings), /must/);
  });

  it('include any data node', () => {
    assertData(compile({ path: '/m:top/l/in' }), [{ 'm:in': { z: 1 } }, {}], [{ 'm:top': {} }]);
  });

  it('are refused if they do not exist', () => {
    const targets = ['rpc:nope/input', 'action:/m:top/nope/input'].map((target) => ({ target }));
    for (const options of [...targets, { path: '/m:top/nope' }]) {
      const compiled = compileYang([{ file: 'm.yang', text: asModule('container top;') }], options);
      assert.ok('faults' in compiled && compiled.faults.length === 1);
    }
  });

  it('contains a grouping once, whatever the number of its uses', () => {
    const uses = (count: number) =>
      Array.from({ length: count }, (_, at) => `container c${at} { list l { key k; uses g; } }`).join(' ');
    const module = (count: number) =>
      compileBody(`grouping g { leaf k { type string; } container big { choice way { case a { leaf x { type enumeration { enum p { description "P"; } } } }
           case b { leaf y { type int8; } } } leaf z { type string; } } } ${uses(count)}`);
    const [few, many] = [module(2), module(20)];
    const sizeOf = (value: unknown) => JSON.stringify(value).length;
    assert.ok(sizeOf(many.schema) - sizeOf(few.schema) < 18 * 400);
    assert.ok(sizeOf(many.uiSchema) - sizeOf(few.uiSchema) < 18 * 200);
    const definitions = many.uiSchema['ui:definitions'] as Record<string, Record<string, unknown>>;
    const names = Object.keys(many.schema['$defs'] as object).map((name) => `#/$defs/${name}`);
    assert.ok(Object.keys(definitions).every((reference) => names.includes(reference)));
    const entry = definitions['#/$defs/m.l']?.['items'] as Record<string, Record<string, unknown>>;
    assert.deepEqual(entry['big']?.['ui:order'], ['x', 'y', 'z']);
  });

  it('keeps apart what the context of a grouping changes', () => {
    const { schema } = compileBody(
      `grouping g { container in { leaf a { type string; mandatory true; } } }
         container plain { uses g; } container state { config false; uses g; }
         container refined { uses g { refine in/a { mandatory false; } } }
         container chosen { choice way { case one { uses g; } case two { leaf b { type string; } } } }
         container conditional { uses g { when "../x"; } }`,
      { content: 'all' },
    );
    const judge = judgeOf({ schema });
    for (const [document, isValid] of [
      [{ 'm:plain': { in: {} }, 'm:state': { in: { a: '' } } }, false],
      [{ 'm:plain': { in: { a: '' } }, 'm:state': { in: { a: '' } }, 'm:refined': { in: {} } }, true],
      [{ 'm:plain': { in: { a: '' } }, 'm:state': { in: { a: '' } }, 'm:chosen': { in: {} } }, true],
      [{ 'm:plain': { in: { a: '' } }, 'm:state': { in: { a: '' } }, 'm:conditional': {} }, true],
    ] as const)
      assert.equal(judge(document), isValid, JSON.stringify(document));
    const text = JSON.stringify((schema['properties'] as Member)['m:state']);
    assert.ok(text.includes('"readOnly":true'));
  });
});
