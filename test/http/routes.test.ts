import assert from 'node:assert/strict';
import type { BoundOperation } from '../../src/core/operation.js';
import { allowedMethods, routesOf } from '../../src/http/express-app.js';

function operation(method: BoundOperation['row']['method'], ...paths: string[]): BoundOperation {
  const row = { id: 'x', summary: '', method, path: '', roles: ['admin'], reply: {} } as const;
  return {
    name: `demo.${paths.join()}`,
    paths,
    row,
    applicationSummary: '',
    target: () => '',
    handle: () => ({ body: null }),
  };
}

const pathsOf = (...operations: BoundOperation[]) => routesOf(operations).map(({ path }) => path);

describe('routesOf', () => {
  it('orders literal segments before parameters, at every depth', () => {
    const operations = [
      operation('GET', '/a/:name'),
      operation('GET', '/:app/b/c'),
      operation('GET', '/a/:name/export', '/a/brokers/:id'),
      operation('GET', '/a/brokers/mapping'),
    ];
    assert.deepEqual(pathsOf(...operations), [
      '/a/brokers/mapping',
      '/a/brokers/:id',
      '/a/:name',
      '/a/:name/export',
      '/:app/b/c',
    ]);
  });

  it('refuses two operations with the same method and path, whatever the parameter names', () => {
    assert.throws(
      () => routesOf([operation('GET', '/a/:name'), operation('GET', '/b', '/a/:id')]),
      /^Error: demo\.\/a\/:name and demo\.\/b,\/a\/:id both serve GET \/a\/:name$/,
    );
    assert.equal(pathsOf(operation('GET', '/a'), operation('PUT', '/a')).length, 2);
  });

  it('lists HEAD where GET exists', () => {
    assert.equal(
      allowedMethods(routesOf([operation('PUT', '/a'), operation('GET', '/a')])),
      'GET, HEAD, PUT',
    );
    assert.equal(allowedMethods(routesOf([operation('POST', '/a')])), 'POST');
  });
});
