import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { callUrl } from '../support/call.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { openWorld, type World } from '../support/world.js';

describe('two nodes on one database', function () {
  this.timeout(60_000);
  let server: PostgresServer | undefined;
  const worlds: World[] = [];
  /** Nothing comes due on the other node: what it does by itself, it does because it hears. */
  const still = createFakeScheduler();

  before(async function () {
    server = await startPostgres();
    if (!server) return this.skip();
    const url = await server.newUrl();
    for (let node = 0; node < 2; node += 1)
      worlds.push(
        await openWorld({
          folder: temporaryFolder().path,
          ...(node === 1 && { clock: { ...still, now: Date.now } }),
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

  const taken = (): number =>
    worlds[1]?.logLines.filter((line) => line.includes('what was asked for through the API is live'))
      .length ?? 0;

  async function ask(what: 'stop' | 'start'): Promise<void> {
    const [one] = worlds as [World];
    const path = `${one.url}/adapters/core1/${what}`;
    const reply = await callUrl(path, { method: 'PUT', token: one.mint('admin') });
    assert.equal(reply.status, 200, reply.text);
  }

  it('take up at once what the other one was asked for, by themselves', async () => {
    const [, other] = worlds as [World, World];
    await ask('stop');
    await until(() => taken() === 1);
    const health = await callUrl(`${other.url}/health/adapters/core1`, {
      method: 'GET',
      token: other.mint('admin'),
    });
    assert.equal(health.status, 200, health.text);
    assert.equal((health.json as { state: string }).state, 'STOPPED');
  });

  it('take it up within a second when they do not hear of it', async () => {
    const [, other] = worlds as [World, World];
    const logged = (text: string): boolean => other.logLines.some((line) => line.includes(text));
    await server?.run(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse-listener'",
    );
    await until(() => logged('the connection that hears of other nodes is lost'));
    await ask('start');
    assert.equal(taken(), 1);
    await still.pass(1_000);
    await until(() => taken() === 2);
  });
});
