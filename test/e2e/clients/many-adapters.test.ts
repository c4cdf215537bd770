import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { extendMainFile } from '../../support/main-file.js';
import { callsTo, type Route } from '../../support/server-calls.js';
import { clientServer } from './replay.js';

const COUNT = 1000;
const names = Array.from({ length: COUNT }, (_item, index) => `site${String(index).padStart(4, '0')}`);
const adapters = names
  .map((name) => `  ${name}: { plugin: http-rest, enabled: false, baseUrl: http://127.0.0.1:9 }\n`)
  .join('');

/** Lists with the requests of `ipctl` and `iap-sdk`, which send no limit in the query and never ask for a second page. */
describe('clients that list 1,000 adapters', function () {
  this.timeout(120_000);
  const { server } = clientServer({
    arrange(folder) {
      extendMainFile(folder, { more: `adapters:\n${adapters}` });
      rmSync(join(folder, 'adapters', 'core1.yaml'));
    },
  });
  const { call } = callsTo(server);

  const list = async (route: Route, body?: object) => {
    const { json, headers } = await call(route, { body });
    const { results, total } = json as { results: readonly { data: { name: string } }[]; total: number };
    return { names: results.map(({ data }) => data.name), total, link: headers['link'] };
  };

  it('ipctl dump adapters and ipctl import adapter --replace get every adapter', async () => {
    assert.deepEqual(await list('GET /adapters'), { names, total: COUNT, link: undefined });
  });

  it('iap-sdk gets as many as its limit in the body of the GET, and a link to the next page', async () => {
    const page = await list('GET /adapters', { queryOptions: { sort: 'package_id', limit: 50 } });
    assert.deepEqual([page.names.length, page.total], [50, COUNT]);
    assert.equal(page.link, '<?sort=package_id&limit=50&skip=50>; rel="next"');
  });

  it('a client that follows the links gets each adapter once', async () => {
    const seen: string[] = [];
    let next: string | undefined = '?limit=400';
    while (next !== undefined) {
      const page = await list(`GET /adapters${next}`);
      seen.push(...page.names);
      [, next] = /^<(\?[^>]+)>; rel="next"$/.exec(String(page.link)) ?? [];
    }
    assert.deepEqual(seen, names);
  });
});
