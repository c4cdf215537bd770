import assert from 'node:assert/strict';
import { describeApplication, type DescribedOperation } from '../../src/core/operation.js';
import { valueAt } from '../../src/core/pointer.js';
import { PROBLEMS } from '../../src/core/problem-codes.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { demo } from '../support/http-server.js';

const operations = describeApplication(demo);
const document = openApiDocument(operations, { version: '1.2.3' });
const at = (pointer: string) => valueAt(document, pointer);

function described(name: string, row: Partial<DescribedOperation['row']>): DescribedOperation {
  const [, id = ''] = name.split('.');
  const whole = {
    id,
    summary: '',
    method: 'GET',
    path: `/${id}`,
    roles: ['admin'],
    reply: {},
    ...row,
  } as const;
  return { name, paths: [`/${name.replace('.', '/')}`], applicationSummary: 'It is not.', row: whole };
}

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 with the given version', () => {
    assert.equal(at('/openapi'), '3.1.0');
    assert.equal(at('/info/version'), '1.2.3');
  });

  it('includes every operation at every path', () => {
    const listed = Object.entries(at('/paths') as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const expected = operations.flatMap(({ paths, row }) => paths.map((path) => `${row.method} ${path}`));
    assert.deepEqual(listed.sort(), expected.sort());
  });

  it('has unique operation ids, which end in Alias at another prefix', () => {
    const ids = Object.values(at('/paths') as Record<string, Record<string, { operationId: string }>>)
      .flatMap((item) => Object.values(item))
      .map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(at('/paths/~1demo~1things~1{name}/get/operationId'), 'getThing');
    assert.equal(at('/paths/~1old_demo~1things~1{name}/get/operationId'), 'getThingAlias');
  });

  it('uses the id of an alias, and says which operation the alias is', () => {
    const row = described('a.list', { aliases: [{ path: '/all', id: 'listAll' }] });
    const { paths } = openApiDocument([{ ...row, paths: ['/a/list', '/a/all'] }], { version: '1' });
    const ids = ['/a/list', '/a/all'].map((path) => paths[path]?.['get']?.operationId);
    assert.deepEqual(ids, ['list', 'listAll']);
    assert.match(paths['/a/all']?.['get']?.description ?? '', /^The same operation as `list`/);
  });

  it('describes parameters, body, reply, failures, roles and application', () => {
    assert.deepEqual(at('/paths/~1demo~1things~1{name}/put'), {
      operationId: 'updateThing',
      summary: 'Do updateThing.',
      description: 'Roles: admin.',
      tags: ['demo'],
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          schema: { type: 'string', minLength: 1, pattern: '^[^\\x00-\\x1F\\x7F]+$' },
        },
        {
          name: 'X-Request-Id',
          in: 'header',
          required: false,
          description: 'Id of the request in the log and in the audit trail; default: a new id',
          schema: { type: 'string' },
        },
        {
          name: 'x-gatehouse-csrf',
          in: 'header',
          required: false,
          description: 'Always `1`; only browsers must send it, and programs need not',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/UpdateThingBody' } } },
      },
      responses: {
        '200': {
          description: 'updateThing reply.',
          headers: {
            'x-request-id': { $ref: '#/components/headers/RequestId' },
            'cache-control': { $ref: '#/components/headers/CacheControl' },
            ratelimit: { $ref: '#/components/headers/RateLimit' },
            'ratelimit-policy': { $ref: '#/components/headers/RateLimitPolicy' },
          },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/UpdateThingReply' } } },
        },
        ...Object.fromEntries(
          ['400', '401', '403', '413', '415', '429', '503', 'default'].map((status) => [
            status,
            { $ref: `#/components/responses/Problem${status === 'default' ? '' : status}` },
          ]),
        ),
      },
      security: [{ bearer: [] }, { basic: [] }, { cookie: [] }, { query: [] }, { mutualTLS: [] }],
      'x-roles': ['admin'],
      'x-operation': 'demo.updateThing',
    });
  });

  it('includes an operation with method ANY under every method, with an unspecified body', () => {
    const row = described('proxy.passThrough', { method: 'ANY', path: '/:adapterId/*', audited: true });
    const stream = openApiDocument([{ ...row, paths: ['/proxy/:adapterId/*'] }], { version: '1' });
    const item = valueAt(stream, '/paths/~1proxy~1{adapterId}~1{path}') as Record<string, unknown>;
    assert.deepEqual(Object.keys(item), ['delete', 'get', 'head', 'options', 'patch', 'post', 'put']);
    const { operationId, parameters, responses, requestBody } = item['patch'] as Record<string, object>;
    assert.equal(operationId, 'passThroughPatch');
    assert.deepEqual((parameters as { name: string }[]).map(({ name }) => name), ['adapterId', 'path', 'X-Request-Id']); // prettier-ignore
    assert.deepEqual(Object.keys(responses!).sort(), [
      '2XX',
      '3XX',
      '400',
      '401',
      '403',
      '429',
      '503',
      'default',
    ]);
    assert.equal(requestBody, undefined);
    assert.deepEqual(item['patch'] && (item['patch'] as { security: unknown }).security, [{ bearer: [] }, { basic: [] }, { mutualTLS: [] }]); // prettier-ignore
    assert.deepEqual((parameters as object[]).map((one) => 'x-rest' in one), [false, true, false]); // prettier-ignore
    const { content } = (responses as Record<string, { content: object }>)['default']!;
    assert.deepEqual(Object.keys(content), ['*/*', 'application/problem+json']);
  });

  it('describes the query, forms, optional bodies and reply headers', () => {
    const row = described('a.list', {
      method: 'POST',
      query: {
        type: 'object',
        required: ['sort'],
        properties: { sort: { enum: ['name'], description: 'By what' }, limit: { type: 'integer' } },
      },
      body: { type: 'object' },
      form: true,
      bodyOptional: true,
      replyHeaders: { etag: 'The state of the list' },
    });
    const list = openApiDocument([row], { version: '1' }).paths['/a/list']?.['post'];
    assert.deepEqual(list?.parameters?.slice(0, 2), [
      {
        name: 'sort',
        in: 'query',
        required: true,
        description: 'By what',
        schema: { type: 'string', enum: ['name'] },
      },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } },
    ]);
    assert.equal(list.requestBody?.required, false);
    assert.deepEqual(Object.keys(list.requestBody.content), [
      'application/x-www-form-urlencoded',
      'application/json',
    ]);
    const [done] = Object.values(list.responses) as { headers: Record<string, object> }[];
    assert.deepEqual(done?.headers['etag'], {
      description: 'The state of the list',
      schema: { type: 'string' },
    });
  });

  it('describes the current access roles', () => {
    const rolesOf = ({ name }: DescribedOperation) => (name === 'demo.getThing' ? [] : 'authenticated');
    const { paths } = openApiDocument(operations, { version: '1', rolesOf });
    const thing = paths['/demo/things/{name}'];
    assert.equal(thing?.['get']?.description, 'No role may call it.');
    assert.equal(thing['put']?.description, 'Any valid token.');
    assert.equal(thing['put'].security.length, 5);
    const open = openApiDocument(operations, { version: '1', rolesOf: () => 'public' });
    assert.deepEqual(open.paths['/demo/things']?.['post']?.security, []);
  });

  it('has a tag with a description for each application', () => {
    const { tags } = openApiDocument(
      [{ ...described('a.x', {}), applicationSummary: 'It is.' }, described('b.y', {})],
      {
        version: '1',
      },
    );
    assert.deepEqual(tags, [
      { name: 'a', description: 'It is.' },
      { name: 'b', description: 'It is not.' },
    ]);
  });

  it('lists the problem codes with their statuses, also by status', () => {
    const code = at('/components/schemas/Problem/properties/code') as {
      readonly enum: readonly string[];
      readonly 'x-problems': Readonly<Record<string, { readonly status: number }>>;
    };
    assert.deepEqual(code.enum, Object.keys(PROBLEMS));
    for (const [name, { status }] of Object.entries(code['x-problems']))
      if (at(`/components/responses/Problem${status}`) !== undefined)
        assert.ok(String(at(`/components/responses/Problem${status}/description`)).includes(name), name);
  });

  it('requires no token for public operations', () => {
    assert.deepEqual(at('/paths/~1demo~1status/get/security'), []);
    assert.equal(at('/paths/~1demo~1status/get/description'), 'No token needed.');
    assert.deepEqual(Object.keys(at('/paths/~1demo~1status/get/responses') as object), [
      '200',
      '400',
      '429',
      'default',
    ]);
  });

  it('includes the target of every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]*)"/g)].map(
      ([, pointer = '']) => pointer,
    );
    assert.ok(references.length > 3);
    for (const pointer of references) assert.notEqual(at(pointer), undefined, pointer);
  });

  it('lists the statuses of the problems of an operation by name', () => {
    const row = described('a.list', { problems: ['name_taken', 'upstream_timeout'] });
    const document = openApiDocument([row], { version: '1' });
    const { responses = {} } = document.paths['/a/list']?.['get'] ?? {};
    assert.deepEqual(Object.keys(responses), [
      '200',
      '400',
      '401',
      '403',
      '409',
      '429',
      '503',
      '504',
      'default',
    ]);
    const used = Object.keys(document.components.responses);
    assert.deepEqual(used.sort(), ['Problem', ...['400', '401', '403', '409', '429', '503', '504'].map((status) => `Problem${status}`)]); // prettier-ignore
  });

  it('describes the request headers of an operation', () => {
    const row = described('a.change', {
      method: 'PUT',
      requestHeaders: { 'If-Match': 'The revision' },
      conditional: true,
    });
    const { parameters = [] } = openApiDocument([row], { version: '1' }).paths['/a/change']?.['put'] ?? {};
    assert.deepEqual(
      parameters.map(({ name, in: place }) => `${place} ${name}`),
      ['header If-Match', 'header If-None-Match', 'header x-gatehouse-csrf'],
    );
  });
});
