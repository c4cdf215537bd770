import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { checkAll, rowsOf } from '../../../console/src/form/model/index.js';
import { bodyText, openBodyForm, bundledSchema } from '../../../console/src/pages/api/body-form.js';
import { type ApiDocument, groupsOf, type Schema } from '../../../console/src/pages/api/operation.js';
import { exampleOf } from '../../../console/src/pages/api/schema-example.js';
import { column } from '../../support/columns.js';
import { withEdits, set } from '../form/edit.js';

const DOCUMENT = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ApiDocument;
const SCHEMAS = DOCUMENT.components?.schemas ?? {};
const BODIES = groupsOf(DOCUMENT)
  .flatMap(({ operations }) => operations)
  .flatMap(({ id, body }) => (body ? [{ id, body }] : []));

function opened(schema: Schema, text: string) {
  const found = openBodyForm(schema, text);
  assert.ok('form' in found, 'lack' in found ? found.lack : '');
  return found.form;
}

describe('the body of an operation as a form', () => {
  for (const { id, body } of BODIES)
    it(`${id}: its example body opens as a form and is written back unchanged`, () => {
      const text = JSON.stringify(exampleOf(body, SCHEMAS), null, 2);
      assert.equal(bodyText(opened(bundledSchema(body, SCHEMAS), text)), text);
    });

  it('bundles exactly the schemas that its schema references, including circular references', () => {
    const schemas = {
      a: { type: 'object', properties: { b: { $ref: '#/components/schemas/b' } } },
      b: { type: 'object', properties: { a: { $ref: '#/components/schemas/a' }, name: { type: 'string' } } },
      c: {},
    };
    const schema = bundledSchema({ $ref: '#/components/schemas/a' }, schemas);
    assert.deepEqual(schema, { ...schemas.a, components: { schemas: { a: schemas.a, b: schemas.b } } });
    const form = withEdits(opened(schema, '{}'), set('/b/a/b/name', 'deep'));
    assert.deepEqual(JSON.parse(bodyText(form)), { b: { a: { b: { name: 'deep' } } } });
  });

  it('keeps unknown members, the order of members, and all digits of numbers', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const text =
      '{\n  "10": 1,\n  "9": 18446744073709551615,\n  "name": "x",\n  "more": {\n    "b": 1e3,\n    "a": []\n  }\n}';
    assert.equal(bodyText(opened(schema, text)), text);
    const edited = withEdits(opened(schema, text), set('/name', 'y'));
    assert.match(bodyText(edited), /18446744073709551615[^]*"name": "y"[^]*"b": 1e3,\n {4}"a": \[\]/);
  });

  it('ignores unsupported patterns and reports all other errors', () => {
    const name = { type: 'string', pattern: '^(?!x)', maxLength: 2 };
    const schema = { type: 'object', properties: { name, list: { anyOf: [{}, name] } } };
    const form = withEdits(opened(schema, '{}'), set('/name', 'xyz'));
    assert.deepEqual(column(checkAll(form).errors, 'keyword'), ['maxLength']);
  });

  it('reports why a form is not available: no fields, an invalid schema, or invalid JSON', () => {
    const lack = (schema: Schema, text: string) => {
      const found = openBodyForm(schema, text);
      return 'lack' in found ? found.lack : undefined;
    };
    const plain = { type: 'object', properties: { a: { type: 'string' } } };
    const nothing = 'the schema defines no fields for it';
    const actual = [lack({}, '{}'), lack({ type: 'object' }, '{}'), lack(plain, '[1]')];
    assert.deepEqual(actual, Array(3).fill(nothing));
    assert.match(lack({ type: 7, properties: { a: {} } }, '{}') ?? '', /^the schema has an error at \/type/);
    assert.match(lack(plain, '{"a": ') ?? '', /expected a value/);
    assert.match(lack(plain, '{"a": 1, "a": 2}') ?? '', /a/);
    assert.equal(rowsOf(opened(plain, '')).rows.length, 1);
  });
});
