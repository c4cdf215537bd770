import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { callUrl } from '../support/call.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { openWorld, type World } from '../support/world.js';

describe('two nodes on one database', function () {
  this.timeout(60_000);
  let server: PostgresServer | undefined;
  const worlds: World[] = [];

  before(async function () {
    server = await startPostgres();
    if (!server) return this.skip();
    const url = await server.newUrl();
    for (let node = 0; node < 2; node += 1)
      worlds.push(
        await openWorld({
          folder: temporaryFolder().path,
          arrange(folder) {
            const file = `${folder}/gatehouse.yaml`;
            const text = readFileSync(file, 'utf8');
            writeFileSync(file, text.replace(/^storage: .*$/m, `storage: { url: "${url}" }`));
          },
        }),
      );
  });

  after(async () => {
    for (const world of worlds) await world.close();
    await server?.close();
  });

  it('take up what the other one was asked for by themselves', async () => {
    const [one, other] = worlds as [World, World];
    const logged = (text: string): boolean => other.logLines.some((line) => line.includes(text));
    const stop = await callUrl(`${one.url}/adapters/core1/stop`, { method: 'PUT', token: one.mint('admin') });
    assert.equal(stop.status, 200, stop.text);
    await until(() => logged('what was asked for through the API is live'));
    const health = await callUrl(`${other.url}/health/adapters/core1`, {
      method: 'GET',
      token: other.mint('admin'),
    });
    assert.equal((health.json as { state: string }).state, 'STOPPED');
  });
});
