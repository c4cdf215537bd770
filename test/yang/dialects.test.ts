import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openModules } from '../../src/yang/compile.js';
import { DIALECTS, type Dialect } from '../../src/yang/json-schema/dialect.js';
import { isOperation, type SchemaNode } from '../../src/yang/tree/schema-node.js';
import { CHOICES_MODULE } from '../support/choices-module.js';
import { column } from '../support/columns.js';
import { Random } from '../support/random.js';
import { Generator, type Json } from '../support/yang-documents/generate.js';
import { mutate } from '../support/yang-documents/mutate.js';
import { Values } from '../support/yang-documents/values.js';
import { compileBody, compileText } from '../support/yang.js';

type Schema = Record<string, unknown>;

const S = '{ type string; }';

/** Returns the schema of `m:c` and the UI schema of `m:c` for a container `c` with the given body. */
function containerIn(dialect: Dialect, body: string): { readonly schema: Schema; readonly ui: Schema } {
  const { schema, uiSchema } = compileBody(`${IDENTITIES} container c { ${body} }`, { dialect });
  const properties = schema['properties'] as Record<string, Schema>;
  return { schema: properties['m:c'] ?? {}, ui: (uiSchema['m:c'] ?? {}) as Schema };
}

const IDENTITIES =
  'identity transport; identity fast { base transport; description "For low\n latency."; } identity safe { base transport; }';

describe('a schema for react-jsonschema-form', () => {
  it('writes a choice as branches with titles, members and required members', () => {
    const { schema } = containerIn(
      'rjsf',
      `choice way { case tcp { leaf port { type uint16; mandatory true; } leaf host ${S} } leaf udp ${S} } leaf x ${S}`,
    );
    assert.deepEqual(Object.keys(schema['properties'] as Schema), ['x']);
    const branches = schema['oneOf'] as readonly Schema[];
    assert.deepEqual(
      branches.map((branch) => [
        branch['title'],
        Object.keys(branch['properties'] ?? {}),
        branch['required'],
      ]),
      [
        ['udp', ['udp'], undefined],
        ['tcp', ['port', 'host'], ['port']],
      ],
    );
  });

  it('begins with the default case, which accepts absent nodes', () => {
    const { schema } = containerIn('rjsf', `choice way { default b; leaf a ${S} case b { leaf c ${S} } }`);
    assert.deepEqual(column(schema['oneOf'] as readonly Schema[], 'title'), ['b', 'a']);
  });

  it('keeps the order of the cases of a mandatory choice', () => {
    const { schema } = containerIn('rjsf', `choice way { mandatory true; leaf a ${S} leaf b ${S} }`);
    assert.deepEqual(column(schema['oneOf'] as readonly Schema[], 'title'), ['a', 'b']);
  });

  it('writes a second choice as anyOf, and shows the members of a third one', () => {
    const choice = (name: string) => `choice ${name} { leaf ${name}1 ${S} leaf ${name}2 ${S} }`;
    const { schema } = containerIn('rjsf', choice('a') + choice('b') + choice('c'));
    assert.deepEqual([(schema['oneOf'] as object[]).length, (schema['anyOf'] as object[]).length], [2, 2]);
    assert.deepEqual(Object.keys(schema['properties'] as Schema), ['c1', 'c2']);
  });

  it('names only widgets that react-jsonschema-form has for the type', () => {
    const { ui } = containerIn(
      'rjsf',
      'leaf b { type bits { bit up; bit down; } } leaf f { type binary; } leaf e { type empty; } anydata d; anyxml x;',
    );
    assert.deepEqual(ui, {
      'ui:order': ['b', 'f', 'e', 'd', 'x'],
      b: { 'ui:help': 'Any of these names, separated by spaces: up, down' },
      f: { 'ui:widget': 'textarea', 'ui:help': 'Base64' },
      e: { 'ui:enumNames': ['set'] },
    });
  });

  it('lists each identity once, with its description, and accepts names without a module', () => {
    const { schema } = containerIn('rjsf', 'leaf i { type identityref { base transport; } }');
    const leaf = (schema['properties'] as Record<string, Schema>)['i'] ?? {};
    assert.deepEqual(
      (leaf['else'] as { oneOf: readonly Schema[] }).oneOf.toSorted((a, b) =>
        String(a['const']) < String(b['const']) ? -1 : 1,
      ),
      [
        { const: 'm:fast', title: 'fast', description: 'For low latency.' },
        { const: 'm:safe', title: 'safe' },
      ],
    );
    assert.deepEqual((leaf['then'] as { enum: string[] }).enum.toSorted(), ['fast', 'safe']);
  });
});

describe('a schema for JSON Forms', () => {
  it('comes with controls, groups, and rules that hide the other cases of a choice', () => {
    const { uiSchema } = compileBody(
      `container c { choice w { leaf a ${S} leaf b ${S} } list l { key k; leaf k ${S} } }`,
      { dialect: 'jsonforms' },
    );
    const scope = '#/properties/m:c';
    const layout = (...elements: readonly object[]) => ({ type: 'VerticalLayout', elements });
    const group = (label: string, ...elements: readonly object[]) => ({ type: 'Group', label, elements });
    const control = (at: string, label: string, more: object = {}) => ({
      ...{ type: 'Control', scope: `${at}/properties/${label}`, label },
      ...more,
    });
    const caseOf = (name: string, other: string) => {
      const schema = { anyOf: [{ required: [other], properties: { [other]: {} } }] };
      const rule = { effect: 'HIDE', condition: { scope, schema, failWhenUndefined: true } };
      return control(scope, name, { rule });
    };
    const options = { elementLabelProp: 'k', detail: layout(control('#', 'k')) };
    const choice = group('w', caseOf('a', 'b'), caseOf('b', 'a'));
    assert.deepEqual(uiSchema, layout(group('c', choice, control(scope, 'l', { options }))));
  });
});

describe('the dialects', () => {
  it('are written in the draft of the default validator of the library', () => {
    assert.deepEqual(
      DIALECTS.map((dialect) => compileBody('leaf a { type int8; }', { dialect }).schema['$schema']),
      [
        'https://json-schema.org/draft/2020-12/schema',
        'http://json-schema.org/draft-07/schema#',
        'http://json-schema.org/draft-07/schema#',
      ],
    );
  });

  it('never have a keyword beside $ref for form libraries', () => {
    for (const dialect of ['rjsf', 'jsonforms'] as const)
      for (const part of partsOf(compileText(CHOICES_MODULE, { dialect }).schema))
        if ('$ref' in part) assert.deepEqual(Object.keys(part), ['$ref']);
  });

  it('accept the same documents', () => {
    const judges = DIALECTS.map((dialect) => judgeOf(compileText(CHOICES_MODULE, { dialect }).schema));
    let accepted = 0;
    for (const document of documentsOf(CHOICES_MODULE, 400)) {
      const verdicts = judges.map((judge) => judge(document));
      assert.deepEqual([...new Set(verdicts)].length, 1, `${verdicts.join()} ${JSON.stringify(document)}`);
      if (verdicts[0]) accepted += 1;
    }
    assert.ok(accepted > 100, `${accepted}`);
  });
});

function judgeOf(schema: object): (document: unknown) => boolean {
  const AjvClass = JSON.stringify(schema).includes('2020-12/schema') ? Ajv2020 : Ajv;
  const validate = new AjvClass({ strict: false, validateFormats: false }).compile(schema);
  return (document) => validate(document);
}

/** Returns valid documents of a module, and documents with one violation. */
function documentsOf(text: string, count: number): readonly Json[] {
  const linked = openModules([{ file: 'm.yang', text }]);
  assert.ok('value' in linked);
  const [module] = linked.value.given;
  assert.ok(module);
  const random = new Random(5);
  const generator = new Generator(random, new Values(random), (node: SchemaNode) => !isOperation(node));
  const tools = { random, make: (node: SchemaNode) => generator.value(node) };
  return Array.from({ length: count }).flatMap((_, at) => {
    const generated = generator.document(linked.value.trees.rootOf(module), {
      chance: [0.15, 0.5, 0.9][at % 3] ?? 0.5,
      most: 150,
    });
    const mutant = mutate(generated, tools);
    return [generated.document, ...(mutant ? [mutant.document] : [])].filter(hasQualifiedIdentities);
  });
}

/** JSON Forms accepts identities only with the name of their module. */
function hasQualifiedIdentities(document: Json): boolean {
  return !/"transport":"(?:fast|safe)"/.test(JSON.stringify(document));
}

function partsOf(schema: unknown): readonly object[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return [schema, ...Object.values(schema).flatMap(partsOf)];
}
