import assert from 'node:assert/strict';
import { SchemaDocument } from '../../../console/src/form/model/field/schema-document.js';
import { type FormState, openForm, rowsOf, withFilter } from '../../../console/src/form/model/index.js';

const name = { type: 'string', title: 'Name of the port', description: 'As on the label.' };
const port = { type: 'object', properties: { name } };
const node = {
  type: 'object',
  properties: { 'node-id': { type: 'integer' }, next: { $ref: '#/$defs/node' } },
};
const SCHEMA = {
  type: 'object',
  properties: { port: { $ref: '#/$defs/port' }, ports: { type: 'array', items: port }, tree: node },
  $defs: { port, node },
};

describe('the index of a schema', () => {
  const { index } = new SchemaDocument(SCHEMA);

  it('finds the schemas that contain a name, across references and cycles', () => {
    const found = index.inside({ text: /node-id/iu });
    assert.deepEqual([found.has(SCHEMA), found.has(node), found.has(port)], [true, true, false]);
  });

  it('does not count the title of a schema as a text inside of it', () => {
    const found = index.inside({ text: /of the PORT/iu });
    assert.deepEqual([found.has(port), found.has(name)], [true, false]);
    assert.equal(index.inside({ text: /label.*port/iu }).size, 0);
  });

  it('finds schemas that contain a schema with a property', () => {
    const found = index.inside({ schema: ({ type }) => type === 'integer' });
    assert.deepEqual([found.has(SCHEMA), found.has(node), found.has(port)], [true, true, false]);
  });

  it('ends with a pattern that matches no characters', () => {
    assert.equal(index.inside({ text: new RegExp('', 'iu') }).has(SCHEMA), true);
  });

  it('finds the target of a schema that 130,000 schemas refer to', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 130_000 }, (_, at) => [`p${at}`, { $ref: '#/$defs/port' }]),
    );
    const state: FormState = openForm({ schema: { type: 'object', properties, $defs: { port } } });
    assert.equal(state.form.document.index.inside({ text: /label/iu }).size, 130_002);
    assert.ok(rowsOf(withFilter(state, 'p129999')).hits === 1);
  });
});
