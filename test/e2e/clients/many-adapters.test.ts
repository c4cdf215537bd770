import assert from 'node:assert/strict';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../../support/call.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { senders } from './replay.js';

const COUNT = 1000;
const names = Array.from({ length: COUNT }, (_item, index) => `site${String(index).padStart(4, '0')}`);
const adapters = names
  .map((name) => `  ${name}: { plugin: http-rest, enabled: false, baseUrl: http://127.0.0.1:9 }`)
  .join('\n');

interface AdapterList {
  readonly results: readonly { readonly data: { readonly name: string } }[];
  readonly total: number;
}

/** Lists with the requests of `ipctl` and `iap-sdk`, which send no limit in the query and never ask for a second page. */
describe('clients that list 1,000 adapters', () => {
  let testServer: TestServer;
  before(async function () {
    this.timeout(120_000);
    testServer = await startTestServer({
      folder: temporaryFolder().path,
      arrange(folder) {
        appendFileSync(join(folder, 'gatehouse.yaml'), `adapters:\n${adapters}\n`);
        rmSync(join(folder, 'adapters', 'core1.yaml'));
      },
    });
  });
  after(() => testServer.close());

  const list = async (path: string, headers: Readonly<Record<string, string>>, body?: object) => {
    const answer = await callUrl(testServer.url + path, {
      method: 'GET',
      headers,
      token: testServer.issueToken('admin'),
      ...(body && { body }),
    });
    return { ...answer, json: answer.json as AdapterList };
  };

  it('ipctl dump adapters and ipctl import adapter --replace get every adapter', async () => {
    const { status, json, headers } = await list('/adapters', senders.ipctl);
    assert.equal(status, 200);
    assert.deepEqual(
      json.results.map(({ data }) => data.name),
      names,
    );
    assert.deepEqual([json.total, headers['link']], [COUNT, undefined]);
  });

  it('iap-sdk gets as many as its limit in the body of the GET, and a link to the next page', async () => {
    const body = { queryOptions: { sort: 'package_id', limit: 50 } };
    const { json, headers } = await list('/adapters', senders.requests, body);
    assert.deepEqual([json.results.length, json.total], [50, COUNT]);
    assert.equal(headers['link'], '<?sort=package_id&limit=50&skip=50>; rel="next"');
  });

  it('a client that follows the links gets each adapter once', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/adapters?limit=400';
    while (path !== undefined) {
      const { json, headers } = await list(path, senders.requests);
      seen.push(...json.results.map(({ data }) => data.name));
      const [, query] = /^<(\?[^>]+)>; rel="next"$/.exec(String(headers['link'])) ?? [];
      path = query === undefined ? undefined : `/adapters${query}`;
    }
    assert.deepEqual(seen, names);
  });
});
