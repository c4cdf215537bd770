import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  checkAll,
  documentText,
  errorGroups,
  type Json,
  openAll,
  openForm,
  plainValue,
  type Row,
  rowsOf,
  withFilter,
  yangDocument,
} from '../../../console/src/form/model/index.js';

const KEYWORDS = `
      type properties items prefixItems oneOf anyOf allOf $ref enum const required if then else
      additionalProperties patternProperties dependentSchemas dependencies title default format
      maxItems $id $anchor x-yang x-yang-leafref x-yang-bits x-yang-key ui:order ui:widget ui:choices
      ui:options name members cases
    `
  .trim()
  .split(/\s+/);
const TEXTS = 'object array string integer null # #/properties/a #a a ^a ../a /a/b radio *'.split(' ');
const SCALARS = [...TEXTS, true, false, null, 3];

const { value: odd } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    fc.constantFrom(...SCALARS),
    fc.dictionary(fc.constantFrom(...KEYWORDS, 'a', 'b', 'a/~b', '__proto__'), tie('value'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

/** Returns all texts of a row. */
function sayings(row: Row): readonly unknown[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(row)).filter(
    (name) => name !== 'constructor',
  );
  return names.map((name) => row[name as keyof Row]);
}

describe('a form of a random schema', () => {
  it('never throws, and keeps all data', () => {
    fc.assert(
      fc.property(odd, odd, odd, (schema, uiSchema, data) => {
        const state = openForm({ schema, uiSchema, data: data as Json });
        const { rows } = rowsOf(openAll(state));
        rows.slice(0, 200).forEach(sayings);
        rowsOf(withFilter(state, 'a')).rows.slice(0, 50).forEach(sayings);
        errorGroups(checkAll(state));
        yangDocument(state);
        const written: unknown = JSON.parse(documentText(state));
        assert.deepEqual(written, JSON.parse(JSON.stringify(plainValue(data as Json))));
      }),
      { numRuns: 400 },
    );
  });
});
