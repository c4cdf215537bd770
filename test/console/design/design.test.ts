import assert from 'node:assert/strict';
import { changedMembers, digitsLost, draftOf, EMPTY_DRAFT } from '../../../console/src/design/draft.js';
import { changeExample, examplesOf, runExamples, withExample } from '../../../console/src/design/examples.js';
import { pathWords, uiPointerOf } from '../../../console/src/design/field-location.js';
import { historyOf, redone, stepTo, undone } from '../../../console/src/design/history.js';
import { inferSchema } from '../../../console/src/design/infer-schema.js';
import { withValueAt } from '../../../console/src/design/json-edit.js';
import { fieldCount, outlineOf, outlineRows } from '../../../console/src/design/outline.js';
import { compileSchema } from '../../../src/json-schema/engine/index.js';

describe('the draft of a form', () => {
  it('sends only changed members', () => {
    const previous = draftOf({ name: 'a', schema: { type: 'object' }, uiSchema: { a: 1 } });
    assert.deepEqual(changedMembers(previous, { ...previous, name: 'b' }), { name: 'b' });
  });

  it('lists the numbers that JavaScript cannot represent', () => {
    assert.deepEqual(digitsLost('{"a": 18446744073709551615, "b": 12, "c": "18446744073709551615"}'), [
      '18446744073709551615',
    ]);
  });

  it('undoes and redoes steps, and joins consecutive steps on the same field', () => {
    const typed = ['a', 'ab', 'abc'].reduce((all, word) => stepTo(all, word, 'name'), historyOf(''));
    assert.equal(undone(typed).now, '');
    assert.equal(redone(undone(typed)).now, 'abc');
    assert.equal(undone(stepTo(typed, 'x')).now, 'abc');
  });

  it('replaces one value and keeps the order of the other members', () => {
    const text = JSON.stringify(withValueAt({ a: 1, b: { c: [1, 2] } }, '/b/c/0', 9));
    assert.equal(text, '{"a":1,"b":{"c":[9,2]}}');
    assert.equal(JSON.stringify(withValueAt({ a: 1, b: 2 }, '/a', undefined)), '{"b":2}');
    assert.equal(JSON.stringify(withValueAt({}, '/a/b', 1)), '{"a":{"b":1}}');
  });

  it('maps a schema pointer to its uiSchema pointer and its display path', () => {
    assert.equal(uiPointerOf('/properties/a/items/properties/b'), '/a/items/b');
    assert.equal(uiPointerOf('/oneOf/1/properties/a'), '/a');
    assert.equal(uiPointerOf('/$defs/x/properties/a'), undefined);
    assert.equal(pathWords('/properties/a/items/properties/b'), 'a[].b');
  });
});

describe('the outline of a form', () => {
  const schema = {
    properties: {
      list: { type: 'array', items: { properties: { a: {}, b: {} } } },
      last: { type: 'string', format: 'ipv4' },
    },
    oneOf: [{ properties: { c: {} } }, { required: ['x'] }],
  };

  it('contains the fields of lists, groups and alternatives', () => {
    const root = outlineOf({ schema, uiSchema: { 'ui:order': ['last', '*'] } });
    const found = root.children.map(({ name, type }) => `${name}: ${type}`);
    assert.deepEqual(found, ['last: ipv4', 'list: list of group', 'oneOf #1: group']);
    assert.equal(root.children[1]?.container, '/properties/list/items');
    assert.equal(fieldCount(schema), 6);
  });

  it('shows expanded rows with level, position and set size', () => {
    const root = outlineOf({ schema, uiSchema: {} });
    const rows = outlineRows(root, new Set(['/properties/list']));
    assert.deepEqual(
      rows.map(({ node, level, position, setSize }) => [node.name, level, position, setSize]),
      [
        ['list', 1, 1, 3],
        ['a', 2, 1, 2],
        ['b', 2, 2, 2],
        ['last', 1, 2, 3],
        ['oneOf #1', 1, 3, 3],
      ],
    );
  });
});

describe('inferSchema', () => {
  const example = {
    name: 'core1',
    address: '10.0.0.1',
    created: '2026-01-02T03:04:05Z',
    mtu: 1500,
    load: 0.5,
    tags: [],
    ports: [
      { id: 1, vlan: 3 },
      { id: 2.5, note: null },
    ],
  };

  it('returns a schema that accepts the example and merges the entries of a list', () => {
    const schema = inferSchema(example);
    const compiled = compileSchema(schema);
    assert.ok('validator' in compiled);
    assert.equal(compiled.validator.validate(example).outcome, 'valid');
    const { properties } = schema as { properties: Record<string, Record<string, unknown>> };
    assert.deepEqual(properties['address'], { title: 'Address', type: 'string', format: 'ipv4' });
    assert.equal(properties['created']?.['format'], 'date-time');
    const items = properties['ports']?.['items'] as {
      required: unknown;
      properties: Record<string, unknown>;
    };
    assert.deepEqual(items.required, ['id']);
    assert.deepEqual(items.properties['id'], { title: 'Id', type: 'number' });
  });
});

describe('the examples of a form', () => {
  const form = { ...EMPTY_DRAFT, schema: { type: 'object', required: ['a'] } };

  it('are checked: each is to be accepted or to be refused', () => {
    const both = withExample(withExample(withExample(form, 'accepted', { a: 1 }), 'refused', {}), 'refused', {
      a: 1,
    });
    const found = runExamples(both)?.map(({ passed }) => passed);
    assert.deepEqual(found, [true, true, false]);
    const [, second, third] = examplesOf(both);
    assert.ok(second && third);
    const changed = changeExample(changeExample(both, third, undefined), second, []);
    assert.deepEqual(changed.schema['x-refused'], [[]]);
    assert.equal(runExamples({ schema: { type: 'nothing' } }), undefined);
  });
});
