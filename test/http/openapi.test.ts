import assert from 'node:assert/strict';
import { describeApplication, type DescribedOperation } from '../../src/core/operation.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { demo } from '../support/http-server.js';

const operations = describeApplication(demo);

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

// The rest is in docs/openapi.json, which features/docs/index.test.ts compares and validates.
describe('the OpenAPI document', () => {
  it('uses the id of an alias, and says which operation the alias is', () => {
    const row = described('a.list', { aliases: [{ path: '/all', id: 'listAll' }] });
    const { paths } = openApiDocument([{ ...row, paths: ['/a/list', '/a/all'] }], { version: '1' });
    const ids = ['/a/list', '/a/all'].map((path) => paths[path]?.['get']?.operationId);
    assert.deepEqual(ids, ['list', 'listAll']);
    assert.match(paths['/a/all']?.['get']?.description ?? '', /^The same operation as `list`/);
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
});
