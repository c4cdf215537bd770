import assert from 'node:assert/strict';
import { operationNameOf, releaseDayOf } from '../../../src/features/legacy/deprecated-operation.js';
import { DEPRECATIONS } from '../../../src/features/legacy/deprecations.js';
import { valueAt } from '../../../src/json/pointer.js';
import { type CallResult, callUrl } from '../../support/call.js';
import { assertMembers, hasMembers } from '../../support/members.js';
import { problemCodeOf, refusalOf } from '../../support/server-calls.js';
import { OLD_CASES, type OldCase } from './cases.js';
import { type OldReleaseServer, startServerAtRelease } from './old-client.js';

/** The table of deprecations with the case of each row. */
const ROWS = DEPRECATIONS.map((row) => {
  const pattern = new RegExp(`^${row.route.replaceAll(/:\w+/g, '[^/]+')}$`);
  const found =
    OLD_CASES.find(({ route }) => route === row.route) ?? OLD_CASES.find(({ route }) => pattern.test(route));
  assert.ok(found, `${row.route} has no case`);
  return { ...row, name: operationNameOf(row), case: found };
});

async function perform(testServer: OldReleaseServer, one: OldCase): Promise<CallResult> {
  await one.arrange?.(testServer);
  const answer = await testServer.call(one.route, { body: one.body });
  assert.equal(answer.status, 200, answer.text);
  assertMembers(answer.json, one.reply ?? {}, 'the reply');
  const items = answer.json as readonly unknown[];
  for (const item of one.lists ?? [])
    assert.ok(
      items.some((found) => hasMembers(found, item)),
      answer.text,
    );
  if (one.equals) {
    const [route, pointer] = one.equals;
    assert.deepEqual(answer.json, valueAt(await testServer.ask(route), pointer));
  }
  if (one.effect) {
    const [route, expected] = one.effect;
    const { status, json } = await testServer.call(route);
    if (typeof expected === 'number') assert.equal(status, expected);
    else assertMembers(json, expected, route);
  }
  await one.check?.(answer.json as never, testServer);
  return answer;
}

const noticesOf = ({ headers }: CallResult) =>
  ['deprecation', 'sunset', 'link'].filter((name) => headers[name] !== undefined);

/** Opens a server before the tests of a block and closes it after them. */
function serverAtRelease(release: string): () => OldReleaseServer {
  let testServer: OldReleaseServer;
  before(async () => {
    testServer = await startServerAtRelease(release);
  });
  after(() => testServer.close());
  return () => testServer;
}

describe('at release 2020.2, a deprecated operation', () => {
  const testServer = serverAtRelease('2020.2');

  for (const { route, name, case: one, ...row } of ROWS)
    it(`is served, and names its replacement: ${route}`, async () => {
      const { headers } = await perform(testServer(), one);
      assert.equal(headers['deprecation'], `@${releaseDayOf(row.deprecatedIn).getTime() / 1000}`);
      assert.equal(headers['sunset'], releaseDayOf(row.removedIn).toUTCString());
      const links = String(headers['link'] ?? '')
        .split(', ')
        .filter(Boolean);
      assert.equal(links.length, row.replacements.length);
      for (const link of links) assert.match(link, /^<\/[^>]+>; rel="successor-version"$/);
      const lines = testServer().logLines.join('').split('\n').filter((line) => line.includes(`"${name}"`) && line.includes('a deprecated operation')); // prettier-ignore
      assert.equal(lines.length, 1, 'one log line an hour');
      assert.match(
        lines[0] ?? '',
        route === 'GET /isAlive' ? /"caller":"127\.0\.0\.1"|"caller":"ada"/ : /"caller":"ada"/,
      );
    });

  it('sends its notice also with a refusal', async () => {
    const absent = await testServer().call('GET /providers/nobody');
    assert.deepEqual([absent.status, noticesOf(absent).length], [404, 3]);
    assert.equal(absent.headers['link'], '</adapters/nobody>; rel="successor-version"');
    const invalid = await testServer().call('POST /config/profiles/change', { body: {} });
    assert.deepEqual([invalid.status, noticesOf(invalid).length], [400, 3]);
    const unknownCaller = await testServer().call('GET /providers', { token: 'x' });
    assert.deepEqual([unknownCaller.status, noticesOf(unknownCaller).length], [401, 0]);
  });

  it('answers with the code of the missing component', async () => {
    for (const route of ['GET /health/module/x', 'GET /modules/stop/x', 'DELETE /providers/x'] as const)
      assert.deepEqual(refusalOf(await testServer().call(route)), [404, 'adapter_not_found'], route);
    const file = await testServer().call('PUT /providers/core1', { body: { properties: {} } });
    assert.equal(problemCodeOf(file), 'adapter_in_file');
  });

  it('validates the request that it forwards like a request of a client', async () => {
    const body = { id: 'odd', type: 'http-rest', groups: [], brokers: [''], properties: {} };
    const refused = await testServer().call('PUT /providers/odd', { body });
    assert.deepEqual(refusalOf(refused), [400, 'invalid_request']);
  });

  const stateOf = async (name: string): Promise<string> =>
    (await testServer().ask<{ state: string }>(`GET /health/adapters/${name}`)).state;

  it('refuses HEAD, which must not change anything', async () => {
    await testServer().register('watched');
    const { status, headers } = await testServer().call('HEAD /modules/stop/watched');
    assert.deepEqual([status, headers['allow']], [405, 'GET']);
    assert.equal(await stateOf('watched'), 'RUNNING');
  });

  it('refuses a navigation of a browser, because its GET changes something', async () => {
    await testServer().register('clicked');
    const follow = (headers: Readonly<Record<string, string>>): Promise<CallResult> =>
      callUrl(`${testServer().url}/modules/stop/clicked`, {
        method: 'GET',
        headers: { cookie: `token=${testServer().issueToken('admin')}`, ...headers },
      });
    for (const site of ['same-origin', 'none']) {
      const refused = await follow({ 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' });
      assert.deepEqual(refusalOf(refused), [403, 'csrf_refused']);
    }
    assert.equal(await stateOf('clicked'), 'RUNNING');
    assert.equal((await follow({})).status, 200);
    assert.equal(await stateOf('clicked'), 'STOPPED');
  });

  it('appends one audit record of a change, under its own name', async () => {
    await testServer().register('audited');
    await testServer().ask('GET /modules/stop/audited');
    const { results } = await testServer().ask<{ results: readonly [{ before: string; after: string }] }>(
      'GET /audit?target=/modules/stop/audited',
    );
    assertMembers(results, [{ operation: 'deprecations.stopModule', subject: 'ada', outcome: '' }]);
    assert.notEqual(results[0].before, results[0].after);
  });

  it('is listed with its stage, its replacement and its callers', async () => {
    await testServer().ask('GET /config/services');
    interface Listed {
      readonly results: readonly Readonly<Record<string, unknown>>[];
    }
    const list = await testServer().ask<Listed>('GET /deprecations');
    assertMembers(list, {
      release: '2020.2',
      total: 35,
      results: list.results.map(() => ({ stage: 'deprecated' })),
    });
    const services = list.results.find(({ path }) => path === '/config/services');
    const { calls, lastCall } = services ?? {};
    assertMembers(services, {
      operation: 'deprecations.getServiceConfigs',
      method: 'GET',
      deprecatedIn: '2020.2',
      deprecatedOn: '2020-04-01',
      removedIn: '2021.2',
      removedOn: '2021-04-01',
      replacements: [
        { method: 'GET', path: '/adapters' },
        { method: 'GET', path: '/applications' },
      ],
      lastCall: /^20/,
      callers: [{ caller: 'ada', issuer: 'gatehouse', calls, lastCall }],
    });
  });

  it('is marked as deprecated in the API description', async () => {
    interface Description {
      readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
    }
    const { paths } = await testServer().ask<Description>('GET /openapi.json');
    for (const { route } of ROWS) {
      const [method = '', path = ''] = route.split(' ');
      const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      assertMembers(operation, { deprecated: true }, route);
    }
    assertMembers(paths, {
      '/adapters': { get: { deprecated: undefined } },
      '/providers/{id}': { put: { 'x-replaced-by': ['PUT /adapters/:name'] } },
    });
    const page = await testServer().call('GET /docs');
    assert.match(page.text, /Deprecated since release 2020\.2, removed in 2021\.2\./);
  });
});

describe('at release 2022.1, a removed operation', () => {
  const testServer = serverAtRelease('2022.1');

  for (const { route, case: one, ...row } of ROWS)
    it(`answers 410, and names its replacement: ${route}`, async () => {
      // The media type would be refused earlier if the operation parsed the body.
      const headers = { 'content-type': 'text/plain' };
      const { status, json, ...answer } = await testServer().call(one.route, {
        body: 'x',
        headers,
      });
      const { code, detail } = json as { code: string; detail: string };
      assert.deepEqual([status, code], [410, 'operation_removed']);
      assert.ok(detail.startsWith(`${route} was removed in release ${row.removedIn}. `), detail);
      for (const replacement of row.replacements) assert.ok(detail.includes(replacement), detail);
      assert.equal(answer.headers['link'] !== undefined, row.replacements.length > 0);
    });

  it('requires a token and a role as before', async () => {
    for (const { route, case: one, handler: serving } of ROWS) {
      const asked = one.route;
      const statuses = [
        (await testServer().call(asked, { token: 'not.a.token' })).status,
        (await testServer().call(asked, { roles: ['guest'] })).status,
      ];
      assert.deepEqual(statuses, serving.roles === 'public' ? [410, 410] : [401, 403], route);
    }
  });

  it('changes nothing', async () => {
    assertMembers(await testServer().ask('GET /adapters'), { results: [{ data: { name: 'core1' } }] });
    assertMembers(await testServer().ask('GET /profiles'), { total: 0 });
  });

  it('is counted, but not included in the API description', async () => {
    const { text } = await testServer().call('GET /metrics');
    assert.match(
      text,
      /^gatehouse_deprecated_calls_total\{operation="deprecations\.putProvider",stage="removed"\} [1-9]/m,
    );
    const { paths } = await testServer().ask<{ paths: object }>('GET /openapi.json');
    assert.deepEqual(
      Object.keys(paths).filter((path) => /^\/(?:config|providers|modules|isAlive)/.test(path)),
      [],
    );
    const { methods } = await testServer().ask<{ methods: Record<string, readonly string[]> }>('GET /whoami');
    assert.deepEqual(methods['Deprecations'], ['getDeprecations']);
  });
});
