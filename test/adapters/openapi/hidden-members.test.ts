import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMethods } from '../../../src/adapters/openapi/document-methods.js';
import { DocumentReader } from '../../../src/adapters/openapi/document-reader.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const OBJECT = { type: 'object', required: ['id', 'name'], properties: { name: { type: 'string' } } };
const BASE = { $ref: '#/components/schemas/Base' };
const ID = { type: 'string', readOnly: true };

/** A device whose id the orchestrator assigns, in the forms that documents have. */
const DEVICES: Readonly<Record<string, object>> = {
  'a member of its own': { ...OBJECT, properties: { ...OBJECT.properties, id: ID } },
  'a schema that the member refers to': {
    ...OBJECT,
    properties: { ...OBJECT.properties, id: { $ref: '#/components/schemas/Id' } },
  },
  'a schema of allOf, with the requirement beside it': { ...OBJECT, allOf: [BASE] },
  'a schema of allOf, with the requirement in another one': { allOf: [BASE, OBJECT] },
  'a schema of allOf in a schema of allOf': {
    ...OBJECT,
    allOf: [{ allOf: [BASE] }, { allOf: [{ type: 'object', required: ['id'] }] }],
  },
};

describe('members that are only read', () => {
  const { path: folder } = temporaryFolder();

  for (const [what, device] of Object.entries(DEVICES))
    it(`are no part of a request, by ${what} (bug: the caller had to send the id)`, async () => {
      const file = join(folder, 'api.json');
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Device' } } };
      const post = { operationId: 'add', requestBody: { required: true, content }, responses: {} };
      const Base = { type: 'object', required: ['id'], properties: { id: ID } };
      const components = { schemas: { Base, Id: ID, Device: device } };
      writeFileSync(file, JSON.stringify({ openapi: '3.0.3', paths: { '/devices': { post } }, components }));
      const ownNames = { headers: [], parameters: [], cookies: [] };
      const result = await new DocumentReader().read({ file, methods: ['*'], ownNames });
      assert.deepEqual(result.faults, []);
      const [add] = openMethods(result).methods;
      const { properties = {} } = add!.input as { readonly properties?: object };
      const args = (sent: object): object => ('body' in properties ? { body: sent } : sent);
      const validate = compileSchema(add!.input);
      assert.deepEqual(validate(args({ name: 'a' })).violations, []);
      assert.notDeepEqual(validate(args({})).violations, [], 'the name is required');
    });
});
