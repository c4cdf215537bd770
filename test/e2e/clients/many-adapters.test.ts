import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { callsTo } from '../../support/server-calls.js';
import { clientServer } from './replay.js';

const COUNT = 1000;
const names = Array.from({ length: COUNT }, (_item, index) => `site${String(index).padStart(4, '0')}`);
const adapters = names
  .map((name) => `  ${name}: { plugin: http-rest, enabled: false, baseUrl: http://127.0.0.1:9 }\n`)
  .join('');

/** A list with the request of `ipctl`, which sends no limit and never asks for a second page. */
describe('clients that list 1,000 adapters', function () {
  this.timeout(120_000);
  const { server } = clientServer({
    main: { more: `adapters:\n${adapters}` },
    arrange(folder) {
      rmSync(join(folder, 'adapters', 'core1.yaml'));
    },
  });

  it('ipctl dump adapters and ipctl import adapter --replace get every adapter', async () => {
    const { json, headers } = await callsTo(server).call('GET /adapters');
    const { results, total } = json as { results: readonly { data: { name: string } }[]; total: number };
    assert.deepEqual(
      results.map(({ data }) => data.name),
      names,
    );
    assert.deepEqual([total, headers['link']], [COUNT, undefined]);
  });
});
