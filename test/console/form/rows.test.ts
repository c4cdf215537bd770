import assert from 'node:assert/strict';
import {
  type Json,
  openForm,
  readJson,
  type Row,
  rowsOf,
  valueFromText,
  WrittenNumber,
  type FormSource,
} from '../../../console/src/form/model/index.js';
import { column, columns } from '../../support/columns.js';
import { exampleForm, rowOf, rowsById } from './example-form.js';
import { option } from './option.js';

function form(schema: unknown, data: Json = {}, more: Partial<FormSource> = {}) {
  return openForm({ schema, data, ...more });
}

function property(schema: unknown, value?: Json, uiSchema?: unknown): Row {
  const source = { uiSchema: { a: uiSchema } };
  return rowOf(
    form({ type: 'object', properties: { a: schema } }, value === undefined ? {} : { a: value }, source),
    '/a',
  );
}

describe('rows', () => {
  it('are the members of the schema in its order, then the unknown members', () => {
    const shown = rowsOf(exampleForm()).rows.filter(({ level }) => level === 1);
    const keys = 'name vlan counter enabled mode tags location interfaces steps access size anything legacy';
    assert.equal(column(shown, 'key').join(' '), keys);
    const kinds = 'leaf leaf leaf leaf leaf leaf-list container list list container leaf json json';
    assert.equal(column(shown, 'kind').join(' '), kinds);
    const positions = shown.map((_, at) => at + 1);
    assert.deepEqual(column(shown, 'position'), positions);
    assert.ok(shown.every(({ setSize }) => setSize === 13));
  });

  it('are expanded when they contain data or required members', () => {
    const { rows, indexOf } = rowsOf(exampleForm());
    assert.equal(rows[indexOf('/interfaces')]?.open, true);
    assert.equal(rows[indexOf('/location')]?.open, false);
    assert.equal(indexOf('/location/city'), -1);
    assert.equal(rows[indexOf('/interfaces/0/config/peer')]?.level, 4);
  });

  it('show an unknown member as JSON text', () => {
    const row = rowOf(exampleForm(), '/legacy');
    assert.deepEqual([row.unknown, row.editor.kind, row.text], [true, 'json', '{"10": 1, "9": [ 1e3 ]}']);
  });

  it('show a value of an unexpected type as JSON', () => {
    assert.equal(property({ type: 'object', properties: { b: {} } }, [1]).kind, 'json');
    assert.equal(property({ type: 'string' }, { b: 1 }).kind, 'json');
  });

  it('follow recursive references one level beyond the data', () => {
    const rows = rowsById(exampleForm());
    assert.ok(rows.has('/location/room/inside'));
    assert.equal(rows.get('/location/room/inside/inside')?.open, false);
    assert.ok(!rows.has('/location/room/inside/inside/inside'));
  });

  it('merge the schemas of allOf', () => {
    const allOf = [{ type: 'string', title: 'inner' }, { description: 'said inside' }];
    const row = property({ title: 'outer', allOf });
    assert.deepEqual([row.kind, row.title, row.description], ['leaf', 'outer', 'said inside']);
  });

  it('show an unsupported schema as JSON', () => {
    const references = [{ $ref: '#/nowhere' }, { $ref: 'https://elsewhere/x' }];
    for (const schema of [true, false, {}, ...references, { type: ['object', 'string'] }, { not: {} }])
      assert.equal(property(schema).kind, 'json', JSON.stringify(schema));
  });

  it('resolve references by $anchor and $id', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#x' }, b: { $ref: 'https://e/y' } },
      $defs: {
        x: { $anchor: 'x', type: 'integer' },
        y: { $id: 'https://e/y', $ref: '#/$defs/z', $defs: { z: { type: 'boolean' } } },
      },
    };
    const typeAt = (pointer: string) => rowOf(form(schema), pointer).type;
    assert.deepEqual(['/a', '/b'].map(typeAt), ['integer', 'boolean']);
  });

  it('have the editor of their schema and widget', () => {
    const kinds: readonly (readonly [unknown, unknown, string])[] = [
      [{ type: 'string' }, {}, 'text'],
      [{ type: 'integer' }, {}, 'number'],
      [{ type: 'boolean' }, {}, 'checkbox'],
      [{ type: 'boolean' }, { 'ui:widget': 'radio' }, 'select'],
      [{ enum: ['a', 'b'] }, {}, 'select'],
      [{ enum: Array.from({ length: 50 }, (_, at) => at) }, {}, 'combobox'],
      [{ const: 5 }, {}, 'constant'],
      [{ const: [null] }, {}, 'empty'],
      [{ type: 'array', prefixItems: [{ type: 'null' }], minItems: 1, maxItems: 1 }, {}, 'empty'],
      [{ type: 'string', format: 'date' }, {}, 'date'],
      [{ type: 'string' }, { 'ui:widget': 'textarea' }, 'text'],
      [{ type: 'string' }, { 'ui:widget': 'somebodys-own' }, 'text'],
      [{ type: 'string' }, { 'ui:options': { widget: 'password' } }, 'text'],
      [{ type: 'string', examples: ['x'] }, {}, 'combobox'],
      [{ type: 'string', contentEncoding: 'base64' }, {}, 'file'],
      [{ type: 'string', 'x-yang-bits': [{ name: 'up' }, { name: 'down' }] }, {}, 'bits'],
      [{ type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } }, {}, 'checkboxes'],
      [{ type: 'object' }, {}, 'json'],
    ];
    for (const [schema, ui, kind] of kinds)
      assert.equal(property(schema, undefined, ui).editor.kind, kind, JSON.stringify([schema, ui]));
  });

  it('hide secrets, also those of the format password', () => {
    for (const mark of [{ writeOnly: true }, { 'x-secret': true }, { format: 'password' }]) {
      const { editor } = property({ type: 'string', ...mark });
      assert.equal(editor.kind === 'text' && editor.secret, true, JSON.stringify(mark));
    }
  });

  it('have the title of their member, and not that of the chosen alternative', () => {
    const branch = (title: string) => ({
      title,
      properties: { type: { const: title }, port: { type: 'integer' } },
    });
    const union = { type: 'object', title: 'Login', oneOf: [branch('basic'), branch('token')] };
    assert.equal(property(union, { type: 'basic', port: 8443 }).title, 'Login');
  });

  it('use the titles and labels of the uiSchema', () => {
    const row = property({ type: 'string', enum: ['a', 'b'] }, 'b', {
      'ui:enumNames': ['first', 'second'],
      'ui:title': 'T',
      'ui:help': 'H',
      'ui:placeholder': 'P',
      'ui:description': 'D',
      'ui:disabled': true,
      'ui:readonly': true,
    });
    const options = [option('a', 'first'), option('b', 'second')];
    assert.deepEqual(row.editor, { kind: 'select', radio: false, options });
    const found = [row.title, row.help, row.placeholder, row.description, row.disabled, row.readOnly];
    assert.deepEqual(found, ['T', 'H', 'P', 'D', true, true]);
  });

  it('turn constants of a typed field into options', () => {
    const choices = [{ const: 'ber', title: 'Berlin' }, { const: 'muc' }];
    const { editor } = property({ type: 'string', oneOf: choices });
    const options = [option('ber', 'Berlin'), option('muc', 'muc')];
    assert.deepEqual(editor, { kind: 'select', radio: false, options });
    assert.equal(property({ type: 'string', oneOf: [...choices, { pattern: '^x' }] }).editor.kind, 'text');
  });

  it('follow ui:order, and omit hidden members', () => {
    const properties = Object.fromEntries(Array.from('abcd', (name) => [name, { type: 'string' }]));
    const schema = { type: 'object', properties };
    const keys = (uiSchema: unknown) =>
      rowsOf(form(schema, {}, { uiSchema }))
        .rows.map(({ key }) => key)
        .join('');
    assert.equal(keys({ 'ui:order': ['c', '*', 'a', 'unknown'] }), 'cbda');
    assert.equal(keys({ 'ui:order': ['d'] }), 'dabc');
    assert.equal(keys({ b: { 'ui:widget': 'hidden' } }), 'acd');
  });

  it('depend on if, then, else and dependent schemas', () => {
    const schema = {
      type: 'object',
      properties: { kind: { enum: ['a', 'b'] }, n: { type: 'integer' } },
      if: { properties: { kind: { const: 'b' } }, required: ['kind'] },
      then: { properties: { more: { type: 'string' } }, required: ['more'] },
      else: { required: ['n'] },
      dependentSchemas: { n: { properties: { unit: { type: 'string' } } } },
      dependentRequired: { n: ['kind'] },
    };
    const seen = (data: Json) =>
      rowsOf(form(schema, data)).rows.map(({ key, required }) => key + (required ? '!' : ''));
    assert.deepEqual(seen({}), ['kind', 'n!']);
    assert.deepEqual(seen({ kind: 'b' }), ['kind', 'n', 'more!']);
    assert.deepEqual(seen({ n: 1 }), ['kind!', 'n!', 'unit']);
  });

  it('list the members that can be added', () => {
    const row = property(
      {
        type: 'object',
        properties: { x: {} },
        patternProperties: { '^v[0-9]+$': { type: 'integer' } },
        additionalProperties: false,
      },
      { v1: 5, w: 6 },
    );
    assert.deepEqual(row.addable, { any: false, patterns: ['^v[0-9]+$'], names: [] });
    const location = rowOf(exampleForm(), '/location');
    assert.deepEqual(location.addable, { any: true, patterns: [], names: [] });
    const named = (rule: object) =>
      property({ type: 'object', additionalProperties: {}, propertyNames: rule }, {}).addable?.names;
    assert.deepEqual(named({ enum: ['a', 'b', 'a'] }), ['a', 'b']);
    assert.deepEqual(named({ examples: ['read', 1] }), ['read']);
  });

  it('use the schema of each position of a tuple', () => {
    const prefixItems = [{ type: 'string', title: 'x' }, { type: 'integer' }];
    const tuple = { type: 'array', prefixItems, items: { type: 'boolean' } };
    const rows = [...rowsById(form(tuple, ['a', 1, true])).values()];
    assert.deepEqual(column(rows, 'id'), ['', '/0', '/1', '/2']);
    assert.deepEqual(column(rows, 'type'), ['list', 'string', 'integer', 'boolean']);
  });

  it('are limited to 100 alternatives', () => {
    const level = (at: number) => ({ oneOf: Array.from({ length: 12 }, () => ({ $ref: `#/$defs/d${at}` })) });
    const $defs = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [
        `d${at}`,
        at === 8 ? { type: 'object', properties: { x: {} } } : level(at + 1),
      ]),
    );
    const row = rowOf(form({ type: 'object', properties: { a: level(0) }, $defs }), '/a');
    assert.ok((row.alternatives?.names.length ?? 0) <= 100);
  });

  it('count the filled values below them', () => {
    assert.equal(rowOf(exampleForm(), '/interfaces').filledBelow, 6);
    const list = {
      ...{ length: 3, canAdd: true, maximum: undefined },
      ...{ keys: ['id'], orderedByUser: false, isTuple: false },
    };
    assert.deepEqual(rowOf(exampleForm(), '/interfaces').list, list);
  });

  it('consist of one row for a form of a single value', () => {
    const { rows } = rowsOf(form({ type: 'string', title: 'Only' }, 'x'));
    assert.deepEqual(columns(rows, 'id', 'title', 'level', 'text'), [['', 'Only', 1, 'x']]);
  });
});

describe('valueFromText', () => {
  const typed = (schema: unknown, text: string) =>
    valueFromText(form({ type: 'object', properties: { a: schema } }), '/a', text);

  it('converts to the type of the schema, or keeps the text', () => {
    assert.equal(typed({ type: 'string' }, '5'), '5');
    assert.equal(typed({ type: 'integer' }, '5'), 5);
    assert.equal(typed({ type: 'integer' }, 'five'), 'five');
    assert.equal(typed({ type: 'boolean' }, 'true'), true);
    assert.equal(typed({ type: 'string' }, ''), undefined);
    const actual = typed({ type: 'integer' }, '12345678901234567890');
    assert.deepEqual(actual, new WrittenNumber('12345678901234567890'));
  });

  it('uses the first member of a union that accepts the text', () => {
    const union = {
      anyOf: [{ type: 'integer', maximum: 10 }, { type: 'string', pattern: '^[0-9]+$' }, { type: 'boolean' }],
    };
    const found = ['7', '70', 'true'].map((text) => typed(union, text));
    assert.deepEqual(found, [7, '70', true]);
  });

  it('accepts the label of an option', () => {
    const choice = (value: number, title: string) => ({ const: value, title });
    assert.equal(typed({ oneOf: [choice(1, 'one'), choice(2, 'two')] }, 'two'), 2);
  });
});

describe('readJson', () => {
  it('rejects invalid JSON with its position', () => {
    const texts = ['', '{', '[1,]', '{"a":1,"a":2}', '01', '"\u0001"', '"\\x"', 'nul', '[1] 2'];
    for (const text of [...texts, '{"a" 1}']) assert.throws(() => readJson(text), SyntaxError, text);
    assert.throws(() => readJson('{\n "a": x}'), /line 2, column 7/);
    assert.throws(() => readJson('['.repeat(100_000)), /nested deeper/);
  });
});
