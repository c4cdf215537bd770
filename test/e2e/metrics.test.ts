import assert from 'node:assert/strict';
import { request } from 'node:http';
import { callUrl } from '../support/call.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { openWorld, SECRET, type World } from '../support/world.js';

/** The samples of a scrape by name and labels, as Prometheus would read them. */
async function scrape(world: World): Promise<ReadonlyMap<string, number>> {
  const text = await new Promise<string>((resolve, reject) => {
    request(
      `${world.url}/metrics`,
      { headers: { authorization: `Bearer ${world.mint('admin')}` } },
      (response) => {
        assert.equal(response.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('end', () => {
          resolve(body);
        });
      },
    )
      .on('error', reject)
      .end();
  });
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('the metrics', () => {
  it('tell how Vault, the secrets and the adapters stand, and hold no path and no value', async () => {
    const clock = createFakeScheduler(Date.now());
    const world = await openWorld({
      folder: temporaryFolder().path,
      clock,
      vaultLines: '  request: { attempts: 1 }\n',
    });
    try {
      const before = await scrape(world);
      assert.equal(before.get('vault_login_total{result="success"}'), 1);
      assert.equal(before.get('vault_requests_total{op="read",code="200"}'), 1);
      assert.equal(before.get('gatehouse_adapter_state{adapter="core1",state="RUNNING"}'), 1);
      assert.equal(before.get('vault_secret_stale_seconds{adapter="core1"}'), 0);
      assert.ok((before.get('vault_token_ttl_seconds') ?? 0) > 0);

      world.vault.putSecret({ path: SECRET.path }, { [SECRET.field]: 'the-next-password' });
      world.orchestrator.setPassword('the-next-password');
      assert.deepEqual(await world.running.reload(), []);
      world.vault.seal();
      const reads = world.vault.log.length;
      await clock.pass(330_000);
      await until(() => world.vault.log.length > reads);
      await until(() => world.logLines.join('').includes('VAULT_SEALED'));
      const after = await scrape(world);
      assert.equal(after.get('gatehouse_config_reload_total{result="live"}'), 1);
      assert.ok((after.get('vault_refresh_errors_total{class="unavailable"}') ?? 0) >= 1);
      assert.ok((after.get('vault_secret_stale_seconds{adapter="core1"}') ?? 0) >= 300);
      for (const name of after.keys()) assert.doesNotMatch(name, /adapters\/core1|password|secret\/data/);
    } finally {
      await world.close();
    }
  });

  it('are for administrators', async () => {
    const world = await openWorld({ folder: temporaryFolder().path });
    try {
      const ask = (role: string) =>
        callUrl(`${world.url}/metrics`, { method: 'GET', token: world.mint(role) });
      assert.equal((await ask('engineering')).status, 403);
    } finally {
      await world.close();
    }
  });
});
