import assert from 'node:assert/strict';
import {
  type Condition,
  conditionOfSchema,
  schemaOfCondition,
} from '../../../console/src/design/condition.js';
import { conditionsOf, setRequiredWhen, setShownWhen } from '../../../console/src/design/conditions.js';
import { draftOf, type FormDraft } from '../../../console/src/design/draft.js';
import { addField, removeField, renameField } from '../../../console/src/design/field-edits.js';
import { kindOf } from '../../../console/src/design/field-kinds.js';
import { lintForm } from '../../../console/src/design/lint/lint-form.js';
import { moveField, placeField } from '../../../console/src/design/move-field.js';
import { outlineOf } from '../../../console/src/design/outline.js';
import { documentText, openForm, readJson, rowsOf } from '../../../console/src/form/model/index.js';

const DRAFT = draftOf({
  name: 'interface',
  schema: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      'hold-time': { type: 'integer' },
      'ietf-ip': { type: 'string', enum: ['ipv4', 'ipv6'] },
      tags: { type: 'array', items: { type: 'string' } },
      group: { type: 'object', properties: {} },
    },
  },
  uiSchema: { 'hold-time': { 'ui:help': 'in seconds' } },
});
const HOLD_TIME = '/properties/hold-time';
const IS_IPV6: Condition = { field: 'ietf-ip', operator: 'is', value: 'ipv6' };

const names = (draft: FormDraft): readonly string[] => outlineOf(draft).children.map(({ name }) => name);
const rowsWith = (draft: FormDraft, data: object): readonly string[] =>
  rowsOf(openForm({ ...draft, data: readJson(JSON.stringify(data)) })).rows.map(({ pointer }) => pointer);

describe('the conditions of a field', () => {
  it('round-trip through the if schema, for every test', () => {
    const conditions: readonly Condition[] = [
      IS_IPV6,
      { field: 'a.b', operator: 'isNot', value: 5 },
      { field: 'x[1]', operator: 'contains', value: 'ge-0/0/1.(x)|$' },
      { field: 'hold-time', operator: 'isFilled' },
      { field: 'hold-time', operator: 'isEmpty' },
    ];
    for (const condition of conditions)
      assert.deepEqual(conditionOfSchema(schemaOfCondition(condition, 'string')), condition);
    const inList: Condition = { field: 'tags', operator: 'contains', value: 'core' };
    assert.deepEqual(conditionOfSchema(schemaOfCondition(inList, 'array')), inList);
  });

  it('do not claim to understand an if schema that says more', () => {
    for (const schema of [
      true,
      { properties: { a: { const: 1 } } },
      { properties: { a: { const: 1 }, b: { const: 2 } }, required: ['a', 'b'] },
      { properties: { a: { minimum: 5 } }, required: ['a'] },
      { properties: { a: { pattern: '^ge' } }, required: ['a'] },
      { anyOf: [{ required: ['a'] }] },
    ])
      assert.equal(conditionOfSchema(schema), undefined, JSON.stringify(schema));
  });

  it('show a field in the form only while the test passes, at its position in the outline', () => {
    const { draft, pointer } = setShownWhen(DRAFT, HOLD_TIME, IS_IPV6);
    assert.equal(pointer, '/allOf/0/then/properties/hold-time');
    assert.deepEqual(names(draft), names(DRAFT));
    assert.deepEqual(draft.uiSchema['hold-time'], { 'ui:help': 'in seconds' });
    assert.ok(!rowsWith(draft, { 'ietf-ip': 'ipv4' }).includes('/hold-time'));
    assert.deepEqual(rowsWith(draft, { 'ietf-ip': 'ipv6' }).slice(0, 3), ['/name', '/hold-time', '/ietf-ip']);
    assert.deepEqual(conditionsOf(draft, pointer)?.shownWhen, IS_IPV6);
    const always = setShownWhen(draft, pointer, undefined);
    assert.equal(always.pointer, HOLD_TIME);
    assert.deepEqual({ ...always.draft.schema }, DRAFT.schema);
  });

  it('share one if for the same condition, and keep the other fields when one leaves', () => {
    const one = setShownWhen(DRAFT, HOLD_TIME, IS_IPV6);
    const two = setShownWhen(one.draft, '/properties/tags', IS_IPV6);
    assert.equal(two.pointer, '/allOf/0/then/properties/tags');
    const rest = setShownWhen(two.draft, one.pointer, { ...IS_IPV6, operator: 'isNot' });
    assert.equal((rest.draft.schema['allOf'] as readonly unknown[]).length, 2);
    const removed = removeField(rest.draft, '/allOf/0/then/properties/tags');
    assert.deepEqual(names(removed.draft), ['name', 'hold-time', 'ietf-ip', 'group']);
    assert.equal((removed.draft.schema['allOf'] as readonly unknown[]).length, 1);
    const actual = conditionsOf(removed.draft, '/allOf/0/then/properties/hold-time')?.shownWhen?.operator;
    assert.equal(actual, 'isNot');
  });

  it('require a field while the test passes', () => {
    const { draft } = setRequiredWhen(DRAFT, '/properties/name', {
      field: 'hold-time',
      operator: 'isFilled',
    });
    assert.equal(draft.schema['required'], undefined);
    assert.deepEqual(conditionsOf(draft, '/properties/name')?.requiredWhen, {
      field: 'hold-time',
      operator: 'isFilled',
    });
    const isRequired = (data: object): boolean | undefined =>
      rowsOf(openForm({ ...draft, data: readJson(JSON.stringify(data)) })).rows.find(
        ({ pointer }) => pointer === '/name',
      )?.required;
    assert.equal(isRequired({}), false);
    assert.equal(isRequired({ 'hold-time': 5 }), true);
    assert.equal(setRequiredWhen(draft, '/properties/name', undefined).draft.schema['allOf'], undefined);
  });

  it('follow the tested field when it is renamed', () => {
    const { draft } = setShownWhen(DRAFT, HOLD_TIME, IS_IPV6);
    const renamed = renameField(draft, '/properties/ietf-ip', 'family');
    const actual = conditionsOf(renamed.draft, '/allOf/0/then/properties/hold-time')?.shownWhen?.field;
    assert.equal(actual, 'family');
    const both = renameField(renamed.draft, '/allOf/0/then/properties/hold-time', 'hold');
    assert.equal(both.pointer, '/allOf/0/then/properties/hold');
    assert.deepEqual(names(both.draft), ['name', 'hold', 'family', 'tags', 'group']);
  });

  it('stay when the field moves among its siblings, and end when it leaves the group', () => {
    const { draft, pointer } = setShownWhen(DRAFT, HOLD_TIME, IS_IPV6);
    const up = moveField(draft, pointer, 'up');
    assert.ok('edited' in up);
    assert.deepEqual(names(up.edited.draft).slice(0, 2), ['hold-time', 'name']);
    assert.equal(up.edited.pointer, pointer);
    const into = placeField(draft, pointer, { container: '/properties/group' });
    assert.ok('edited' in into);
    assert.equal(into.edited.pointer, '/properties/group/properties/hold-time');
    assert.equal(into.edited.draft.schema['allOf'], undefined);
    assert.match(documentText(openForm({ ...into.edited.draft, data: readJson('{}') })), /\{\}/);
  });

  it('leave conditions unchanged that the editor does not understand, with a name of their own', () => {
    const schema = {
      type: 'object',
      properties: { vlan: { type: 'integer' } },
      if: { properties: { vlan: { minimum: 100 } } },
      then: { properties: { reason: { type: 'string' } } },
    };
    const form = draftOf({ schema });
    assert.deepEqual(names(form), ['vlan', 'if … then']);
    const { draft } = setRequiredWhen(form, '/properties/vlan', { field: 'reason', operator: 'isFilled' });
    assert.deepEqual([draft.schema['if'], draft.schema['then']], [schema.if, schema.then]);
  });

  it('are reported when they test a field that does not exist', () => {
    const { draft } = setShownWhen(DRAFT, HOLD_TIME, IS_IPV6);
    const without = removeField(draft, '/properties/ietf-ip').draft;
    const found = lintForm(without).find(({ kind }) => kind === 'error');
    assert.equal(found?.message, 'The condition tests "ietf-ip", but there is no such field.');
    assert.equal(found.field, '/allOf/0/then/properties/hold-time');
    const wrong = lintForm(draft).filter(({ kind }) => kind === 'error');
    assert.deepEqual(wrong, []);
  });

  it('read dependentSchemas as "is filled in"', () => {
    const form = draftOf({
      schema: {
        properties: { vlan: {} },
        dependentSchemas: { vlan: { properties: { name: { type: 'string' } } } },
      },
    });
    assert.deepEqual(names(form), ['vlan', 'name']);
    const { draft } = renameField(form, '/properties/vlan', 'vid');
    assert.deepEqual(Object.keys(draft.schema['dependentSchemas'] as object), ['vid']);
  });
});

describe('adding a field', () => {
  it('puts it last, behind a field with a condition as well', () => {
    const { draft } = setShownWhen(DRAFT, '/properties/group', IS_IPV6);
    const added = addField(draft, '', { name: 'since', kind: kindOf('date') });
    assert.deepEqual(names(added.draft).slice(-2), ['group', 'since']);
  });
});

describe('placing a field', () => {
  it('puts it before another field, and refuses the group itself', () => {
    const move = placeField(DRAFT, '/properties/tags', { container: '', before: 'name' });
    assert.ok('edited' in move);
    assert.deepEqual(names(move.edited.draft)[0], 'tags');
    assert.ok('why' in placeField(DRAFT, '/properties/group', { container: '/properties/group' }));
    assert.ok('why' in placeField(DRAFT, '/properties/name', { container: '', before: 'hold-time' }));
  });
});
