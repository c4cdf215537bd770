import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ApiDocument, groupsOf, searchedGroups } from '../../../console/src/pages/api/operation.js';
import { readableText } from '../../../console/src/kit/json-text.js';
import { exampleOf } from '../../../console/src/pages/api/schema-example.js';
import { draftOf, parameterKey, targetOf } from '../../../console/src/pages/api/target.js';

const DOCUMENT = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ApiDocument;
const GROUPS = groupsOf(DOCUMENT);
const ALL = GROUPS.flatMap(({ operations }) => operations);

function operation(id: string) {
  const found = ALL.find((one) => one.id === id);
  assert.ok(found, id);
  return found;
}

describe('the API explorer', () => {
  it('has every operation of the description, each in one group', () => {
    const described = Object.values(DOCUMENT.paths).flatMap((methods) => Object.keys(methods));
    assert.equal(ALL.length, described.length);
    assert.equal(new Set(ALL.map(({ id }) => id)).size, ALL.length);
  });

  it('finds by all words, wherever they stand', () => {
    const found = searchedGroups(GROUPS, 'put PROFILES active').flatMap(({ operations }) => operations);
    assert.deepEqual(
      found.map(({ id }) => id),
      ['switchActiveProfile'],
    );
    assert.deepEqual(searchedGroups(GROUPS, 'no-such-word'), []);
  });

  it('says why an operation cannot be tried with a cookie', () => {
    assert.match(operation('passThrough_get').untried ?? '', /token in a header/);
    assert.equal(operation('getProfiles').untried, undefined);
    assert.equal(operation('getHealthStatus').untried, undefined);
  });

  it('makes a body of everything that takes one, with what is required', () => {
    const schemas = DOCUMENT.components?.schemas ?? {};
    assert.deepEqual(exampleOf(operation('restCall').body ?? {}, schemas), {
      uri: 'https://inventory.example/devices/r1',
      verb: 'GET',
      responseHeaders: false,
    });
    for (const { body, id } of ALL)
      if (body) assert.notEqual(JSON.stringify(exampleOf(body, schemas)), undefined, id);
  });

  it('a schema that contains itself has an example that ends', () => {
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

  it('fills path and query in, encoded, and names what is missing', () => {
    const one = operation('getProfile');
    assert.deepEqual(draftOf(one, {}, undefined), {
      path: '/profiles/{id}',
      missing: ['id'],
      fault: undefined,
    });
    assert.equal(
      targetOf(one, { [parameterKey({ in: 'path', name: 'id' })]: 'a/b $&' }),
      '/profiles/a%2Fb%20%24%26',
    );
    const list = operation('getAudit');
    assert.equal(targetOf(list, { 'query.subject': 'a b', 'query.limit': '' }), '/audit?subject=a+b');
    const rest = operation('passThrough_get');
    assert.equal(targetOf(rest, { 'path.adapterId': 'core1', 'path.path': 'a b/c' }), '/proxy/core1/a%20b/c');
  });

  it('says what is wrong with a body', () => {
    assert.equal(draftOf(operation('restCall'), {}, '{}').fault, undefined);
    assert.notEqual(draftOf(operation('restCall'), {}, '{').fault, undefined);
  });

  it('shows JSON in lines, and never a number that a browser has rounded', () => {
    assert.equal(readableText('{"a":1}'), '{\n  "a": 1\n}');
    assert.equal(readableText('{"a":18446744073709551615}'), '{\n  "a": 18446744073709551615\n}');
    assert.equal(readableText('plain'), 'plain');
    assert.match(readableText('x'.repeat(300_000)), /100000 more characters$/);
  });
});
