import assert from 'node:assert/strict';
import {
  propertyGroups,
  type PropertySpec,
  propertyText,
  propertyValue,
  withType,
} from '../../../console/src/design/property-specs.js';

const specOf = (schema: object, keyword: string): PropertySpec => {
  const found = propertyGroups({ ...schema })
    .flatMap(({ specs }) => specs)
    .find((spec) => spec.keyword === keyword);
  assert.ok(found, keyword);
  return found;
};

describe('the properties of a field', () => {
  it('include only the keywords of its type', () => {
    const keywords = (type: string) =>
      propertyGroups({ type }).flatMap(({ specs }) => specs.map(({ keyword }) => keyword));
    assert.ok(keywords('string').includes('pattern') && !keywords('string').includes('minimum'));
    assert.ok(keywords('integer').includes('minimum') && !keywords('integer').includes('minItems'));
    assert.ok(keywords('array').includes('uniqueItems') && !keywords('object').includes('default'));
  });

  it('are parsed from text according to the type', () => {
    assert.equal(propertyText(specOf({ type: 'integer' }, 'minimum'), 68), '68');
    const preset = specOf({ type: 'integer' }, 'default');
    assert.deepEqual(propertyValue(preset, '12', 'integer'), { value: 12 });
    assert.ok('fault' in propertyValue(preset, 'twelve', 'integer'));
    assert.deepEqual(propertyValue(preset, '', 'integer'), { value: undefined });
    assert.deepEqual(propertyValue(specOf({ type: 'string' }, 'default'), '12', 'string'), { value: '12' });
    assert.ok('fault' in propertyValue(specOf({ type: 'object' }, 'additionalProperties'), '{', 'object'));
  });

  it('are removed when the type changes to one that lacks them', () => {
    const text = { type: 'string', title: 'A', pattern: 'x', default: 'y', enum: ['y'] };
    assert.deepEqual(withType(text, 'object'), { type: 'object', title: 'A', properties: {} });
    assert.deepEqual(withType(text, 'integer'), { type: 'integer', title: 'A' });
    assert.deepEqual(withType({ type: 'integer', minimum: 1 }, 'number'), { type: 'number', minimum: 1 });
  });

  it('include the columns of a group', () => {
    assert.deepEqual(propertyValue(specOf({ type: 'object' }, 'ui:columns'), '2', 'object'), { value: 2 });
  });

  it('keep the spaces of a default text', () => {
    assert.deepEqual(propertyValue(specOf({ type: 'string' }, 'default'), ' a ', 'string'), { value: ' a ' });
  });

  it('lose choices with labels when the type changes to another one', () => {
    const choice = { type: 'string', oneOf: [{ const: 'tcp', title: 'TCP' }] };
    assert.deepEqual(withType(choice, 'integer'), { type: 'integer' });
    const alternatives = { type: 'string', oneOf: [{ pattern: 'a' }] };
    assert.deepEqual(withType(alternatives, 'integer'), { ...alternatives, type: 'integer' });
  });
});
