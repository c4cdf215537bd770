import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readableText } from '../../../console/src/kit/json-text.js';
import { type ApiDocument, groupsOf, searchedGroups } from '../../../console/src/pages/api/operation.js';
import { exampleOf } from '../../../console/src/pages/api/schema-example.js';
import { draftOf, parameterKey, targetOf } from '../../../console/src/pages/api/target.js';
import { column } from '../../support/columns.js';

const DOCUMENT = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ApiDocument;
const GROUPS = groupsOf(DOCUMENT);
const ALL = GROUPS.flatMap(({ operations }) => operations);

function operation(id: string) {
  const found = ALL.find((one) => one.id === id);
  assert.ok(found, id);
  return found;
}

describe('the API explorer', () => {
  it('lists every operation of the OpenAPI document in exactly one group', () => {
    const described = Object.values(DOCUMENT.paths).flatMap((methods) => Object.keys(methods));
    assert.equal(ALL.length, described.length);
    assert.equal(new Set(ALL.map(({ id }) => id)).size, ALL.length);
  });

  it('finds the operations that match all words, in any order', () => {
    const found = searchedGroups(GROUPS, 'put PROFILES active').flatMap(({ operations }) => operations);
    assert.deepEqual(column(found, 'id'), ['switchActiveProfile']);
    assert.deepEqual(searchedGroups(GROUPS, 'no-such-word'), []);
  });

  it('reports why an operation cannot be called with a cookie', () => {
    assert.match(operation('passThroughGet').untried ?? '', /token in a header/);
    assert.equal(operation('getProfiles').untried, undefined);
    assert.equal(operation('getHealthStatus').untried, undefined);
  });

  it('generates an example body for every operation that takes one, with the required members', () => {
    const schemas = DOCUMENT.components?.schemas ?? {};
    assert.deepEqual(exampleOf(operation('restCall').body ?? {}, schemas), {
      uri: 'https://inventory.example/devices/r1',
      verb: 'GET',
      responseHeaders: false,
    });
    for (const { body, id } of ALL)
      if (body) assert.notEqual(JSON.stringify(exampleOf(body, schemas)), undefined, id);
  });

  it('generates a finite example for a recursive schema', () => {
    const schemas = {
      node: {
        type: 'object',
        required: ['next'],
        properties: { next: { $ref: '#/components/schemas/node' } },
      },
    };
    assert.ok(JSON.stringify(exampleOf({ $ref: '#/components/schemas/node' }, schemas)).length < 1000);
    assert.equal(
      exampleOf({ $ref: '#/components/schemas/loop' }, { loop: { $ref: '#/components/schemas/loop' } }),
      null,
    );
  });

  it('fills in encoded path and query parameters, and lists missing parameters', () => {
    const one = operation('getProfile');
    assert.deepEqual(draftOf(one, {}, undefined), {
      path: '/profiles/{id}',
      missing: ['id'],
      fault: undefined,
    });
    const target = targetOf(one, { [parameterKey({ in: 'path', name: 'id' })]: 'a/b $&' });
    assert.equal(target, '/profiles/a%2Fb%20%24%26');
    const list = operation('getAudit');
    assert.equal(targetOf(list, { 'query.subject': 'a b', 'query.limit': '' }), '/audit?subject=a+b');
    const rest = operation('passThroughGet');
    assert.equal(targetOf(rest, { 'path.adapterId': 'core1', 'path.path': 'a b/c' }), '/proxy/core1/a%20b/c');
  });

  it('reports an invalid body', () => {
    assert.equal(draftOf(operation('restCall'), {}, '{}').fault, undefined);
    assert.notEqual(draftOf(operation('restCall'), {}, '{').fault, undefined);
  });

  it('formats JSON without rounding numbers, and truncates long texts', () => {
    assert.equal(readableText('{"a":1}'), '{\n  "a": 1\n}');
    assert.equal(readableText('{"a":18446744073709551615}'), '{\n  "a": 18446744073709551615\n}');
    assert.equal(readableText('plain'), 'plain');
    assert.match(readableText('x'.repeat(300_000)), /100,000 more characters$/);
  });
});
