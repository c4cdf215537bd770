import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { PRESENT_RELEASE } from '../../src/core/deprecation.js';
import { createApiDescription } from '../../src/features/api-description.js';
import { resolverOf } from '../../src/features/docs/fields.js';
import { exampleOf } from '../../src/features/docs/operation-section.js';
import { describeServed } from '../../src/features/operations.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { valueAt } from '../../src/json/pointer.js';
import { column } from '../support/columns.js';

const GOLDEN = new URL('../../../docs/openapi.json', import.meta.url);
const document = createApiDescription(() => ({}))();
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const plain = () => JSON.parse(JSON.stringify(document)) as Record<string, unknown>;

describe('the API description', () => {
  it('is docs/openapi.json, byte for byte (UPDATE_GOLDEN=1 writes it)', async () => {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(GOLDEN, text);
    assert.equal(await readFile(GOLDEN, 'utf8'), text);
  });

  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const validator = new Validator();
    assert.deepEqual(await validator.validate(plain()), { valid: true });
    assert.equal(validator.version, '3.1');
  });

  it('fails the same validator with a fault in it', async () => {
    for (const fault of [{ paths: { 'no-slash': {} } }, { info: {} }, { tags: [{ description: 'x' }] }])
      assert.equal((await new Validator().validate({ ...plain(), ...fault })).valid, false);
    const lost = JSON.parse(JSON.stringify(document).replaceAll('schemas/RestCallRequest', 'schemas/x')) as Record<string, unknown>; // prettier-ignore
    assert.equal((await new Validator().validate(lost)).valid, false);
  });

  it('has a description for every application', () => {
    for (const { name, description = '' } of document.tags)
      assert.match(description, /^[A-Z].{10,}\.$/, name);
  });

  it('has every operation', () => {
    const described = new Set(operations.map((operation) => operation['x-operation']));
    assert.deepEqual([...described].sort(), [...column(describeServed(PRESENT_RELEASE), 'name')].sort());
  });

  it('shows the configured roles and is the same object until they change', () => {
    let roles: Readonly<Record<string, readonly string[]>> = { 'tools.restCall': ['viewer'] };
    const describeApi = createApiDescription(() => roles);
    const restCall = () => describeApi().paths['/tools/restCall']?.['post'];
    assert.deepEqual(restCall()?.['x-roles'], ['viewer']);
    assert.match(restCall()?.description ?? '', /Roles: viewer\.$/);
    assert.equal(describeApi(), describeApi());
    roles = { 'tools.restCall': [] };
    assert.match(restCall()?.description ?? '', /No role may call it\.$/);
    roles = {};
    assert.deepEqual(describeApi(), document);
  });

  it('contains examples that validate against its schemas', () => {
    const resolve = resolverOf(document);
    const bodies = describeServed(PRESENT_RELEASE).flatMap(({ name, row }) =>
      row.body ? [{ name, schema: row.body }] : [],
    );
    assert.ok(bodies.length > 5);
    for (const { name, schema } of bodies)
      assert.deepEqual(compileSchema(schema)(exampleOf(schema, resolve)).violations, [], name);
    const problem = exampleOf({ $ref: '#/components/schemas/Problem' }, resolve);
    assert.equal(valueAt(problem, '/code'), 'invalid_json');
  });
});
