import assert from 'node:assert/strict';
import { deprecatedOperation, operationNameOf } from '../../../src/features/legacy/deprecated-operation.js';
import { DEPRECATIONS } from '../../../src/features/legacy/deprecations.js';
import type { DeprecationsDeps } from '../../../src/features/legacy/deps.js';
import { describeOperations, describeServed } from '../../../src/features/operations.js';
import { createRolesOf } from '../../../src/features/roles.js';
import { operationCall } from '../../support/operation-call.js';
import { SPECIFIED_ROWS } from './specified-rows.js';

/** Formats a replacement as the specification does: only the first path has a method. */
function written(routes: readonly string[]): string {
  const [first = 'None', ...others] = routes;
  return [first, ...others.map((route) => route.slice(route.indexOf(' ') + 1))].join(' or ');
}

describe('the table of deprecated operations', () => {
  it('equals the table of the specification, row by row', () => {
    const plain = SPECIFIED_ROWS.map((row) =>
      row
        .replace(/ \([^)]*\)/, '')
        .replace(/^\/isAlive /, 'GET /isAlive ')
        .replace('| /status', '| GET /status'),
    );
    const ours = DEPRECATIONS.map(
      ({ route, deprecatedIn, removedIn, replacements }) =>
        `${route} | ${deprecatedIn} | ${removedIn} | ${written(replacements)}`,
    );
    assert.deepEqual(ours, plain);
    assert.equal(ours.length, 35);
  });

  it('lists only existing operations as replacements', () => {
    const routes = describeOperations().flatMap(({ paths, row }) =>
      row.deprecation ? [] : paths.map((path) => `${row.method} ${path}`),
    );
    for (const { replacements } of DEPRECATIONS)
      for (const route of replacements) assert.ok(routes.includes(route), route);
  });

  it('works through existing operations, which determine its roles', () => {
    const operations = new Map(describeOperations().map((operation) => [operation.name, operation]));
    const rolesOf = createRolesOf(() => ({}));
    for (const row of DEPRECATIONS) {
      for (const name of row.handler.through) assert.ok(operations.has(name), name);
      const operation = operations.get(operationNameOf(row));
      assert.ok(operation);
      assert.deepEqual(rolesOf(operation), operation.row.roles, operation.name);
    }
  });

  it('rejects a call through an operation that the row does not list', async () => {
    const asked: string[] = [];
    const deps = {
      dispatch: (name: string) => {
        asked.push(name);
        return Promise.resolve({ body: { results: [] } });
      },
    } as unknown as DeprecationsDeps;
    const [row] = DEPRECATIONS.filter(({ route }) => route === 'GET /config/active_adapters');
    assert.ok(row);
    const rowWith = (through: readonly string[]) => ({ ...row, handler: { ...row.handler, through } });
    const call = operationCall({ body: undefined });
    await deprecatedOperation(rowWith(['adapters.getAdapters'])).handle(call, deps);
    await assert.rejects(async () => deprecatedOperation(rowWith([])).handle(call, deps), /does not list/);
    assert.deepEqual(asked, ['adapters.getAdapters']);
  });

  it('contains every operation with a deprecation and no other', () => {
    const ours = new Set(DEPRECATIONS.map(operationNameOf));
    for (const { name, row } of describeOperations())
      assert.equal(row.deprecation !== undefined, ours.has(name), name);
  });

  it('contains the operations that each release serves', () => {
    const servedAt = (release: string) => describeServed(release).filter(({ row }) => row.deprecation).length;
    const releases = ['2018.2', '2020.10', '2021.1', '2021.2', '2021.4', '2022.1', '2023.2'];
    assert.deepEqual(releases.map(servedAt), [35, 35, 34, 1, 1, 0, 0]);
  });
});

describe('the roles of a deprecated operation', () => {
  const operations = describeOperations();
  const stop = { 'adapters.stopAdapter': ['admin', 'engineering'] };
  const both = { ...stop, 'applications.stopApplication': ['engineering'] };
  const schemas = { 'schema.getAdapterSchema': ['viewer'], 'schema.getAdapterModelTypes': ['viewer'] };
  const viewer = ['viewer'];
  const CASES = [
    ['are the configured roles of its replacement', { 'adapters.getAdapters': viewer }, 'getActiveAdapterNames', viewer],
    ['are those of the status for isAlive', { 'health.getHealthStatus': viewer }, 'isAlive', viewer],
    ['are the common roles of all operations that it works through', stop, 'stopModule', ['admin']],
    ['are the common roles if both are configured', both, 'stopModule', ['engineering']],
    ['include callers who may only read schemas in reads', schemas, 'getProviderSchemas', viewer],
    ['exclude callers who may only read schemas from a reload', schemas, 'updateProviderSchemas', []],
    ['can be restricted for the deprecated operation alone', { 'deprecations.getProviders': [] }, 'getProviders', []],
  ] as const; // prettier-ignore
  for (const [title, roles, id, expected] of CASES)
    it(title, () => {
      const operation = operations.find(({ name }) => name === `deprecations.${id}`);
      assert.ok(operation);
      assert.deepEqual(createRolesOf(() => roles)(operation), expected);
    });
});
