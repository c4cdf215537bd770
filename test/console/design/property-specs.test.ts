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
    const choices = specOf({ type: 'integer' }, 'enum');
    assert.deepEqual(propertyValue(choices, '1\n2\n', 'integer'), { value: [1, 2] });
    assert.equal(propertyText(choices, [1, 2]), '1\n2');
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

  it('include labels of the choices, one per line, and the columns of a group', () => {
    const labels = specOf({ type: 'string', enum: ['tcp', 'udp'] }, 'ui:enumNames');
    assert.deepEqual(propertyValue(labels, 'TCP\nUDP', 'string'), { value: ['TCP', 'UDP'] });
    assert.equal(propertyText(labels, ['TCP', 'UDP']), 'TCP\nUDP');
    assert.deepEqual(propertyValue(specOf({ type: 'object' }, 'ui:columns'), '2', 'object'), { value: 2 });
  });
});
