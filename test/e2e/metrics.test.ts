import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { scrape } from '../support/scrape.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { startTestServer, SECRET } from '../support/test-server.js';

describe('the metrics', () => {
  it('report the state of Vault, secrets and adapters, without paths and values', async () => {
    const clock = createFakeScheduler(Date.now());
    const testServer = await startTestServer({
      folder: temporaryFolder().path,
      clock,
      vaultLines: '  request: { attempts: 1 }\n',
    });
    try {
      const { samples: before } = await scrape(testServer);
      assert.equal(before.get('vault_login_total{result="success"}'), 1);
      assert.equal(before.get('vault_requests_total{op="read",code="200"}'), 1);
      assert.equal(before.get('gatehouse_adapter_state{adapter="core1",state="RUNNING"}'), 1);
      assert.equal(before.get('vault_secret_stale_seconds{adapter="core1"}'), 0);
      assert.ok((before.get('vault_token_ttl_seconds') ?? 0) > 0);

      testServer.vault.putSecret({ path: SECRET.path }, { [SECRET.field]: 'the-next-password' });
      testServer.orchestrator.setPassword('the-next-password');
      assert.deepEqual(await testServer.running.reload(), []);
      testServer.vault.seal();
      const reads = testServer.vault.log.length;
      await clock.pass(330_000);
      await until(() => testServer.vault.log.length > reads);
      await until(() => testServer.logLines.join('').includes('VAULT_SEALED'));
      const { samples: after } = await scrape(testServer);
      assert.equal(after.get('gatehouse_config_reload_total{result="live"}'), 1);
      assert.ok((after.get('vault_refresh_errors_total{class="unavailable"}') ?? 0) >= 1);
      assert.ok((after.get('vault_secret_stale_seconds{adapter="core1"}') ?? 0) >= 300);
      for (const name of after.keys()) assert.doesNotMatch(name, /adapters\/core1|password|secret\/data/);
    } finally {
      await testServer.close();
    }
  });

  it('count replies by adapter, and report the state of its upstream', async () => {
    const testServer = await startTestServer({ folder: temporaryFolder().path });
    try {
      const token = testServer.issueToken('admin');
      const body = { params: { path: '/restconf/data', accept: 'application/yang-data+json' } };
      const query = (adapter: string) =>
        callUrl(`${testServer.url}/orchestrator_manager/restQuery/${adapter}`, { token, body });
      assert.equal((await query('core1')).status, 200);
      assert.equal((await query('nowhere')).status, 404);
      assert.equal(
        (await callUrl(`${testServer.url}/proxy/core1/restconf/data`, { method: 'GET', token })).status,
        200,
      );
      assert.equal((await callUrl(`${testServer.url}/nothing/here`, { method: 'GET', token })).status, 404);
      // Streams are counted at their end, which may be after the caller has received everything.
      await until(() => testServer.logLines.join('').includes('"operation":"proxy.passThrough"'));
      const { samples, families } = await scrape(testServer);
      const requests = (labels: string) => samples.get(`gatehouse_requests_total{${labels}}`);
      const RESTQUERY = 'operation="orchestrator-manager.restQuery"';
      assert.equal(requests(`${RESTQUERY},adapter="core1",status="200"`), 1);
      assert.equal(requests(`${RESTQUERY},adapter="",status="404"`), 1);
      assert.equal(requests('operation="proxy.passThrough",adapter="core1",status="200"'), 1);
      assert.equal(requests('operation="",adapter="",status="404"'), 1);
      assert.equal(
        samples.get('gatehouse_upstream_breaker_state{adapter="core1",base_url="0",state="closed"}'),
        1,
      );
      assert.equal(samples.get('gatehouse_service_running{service="store"}'), 1);
      assert.equal(samples.get('gatehouse_store_connections'), undefined);
      assert.ok((samples.get('process_resident_memory_bytes') ?? 0) > 1e6);
      for (const [name, { help, type }] of families) {
        assert.match(type, /^(counter|gauge|histogram|summary)$/, name);
        assert.match(help, /\S/, name);
      }
    } finally {
      await testServer.close();
    }
  });

  it('are restricted to administrators', async () => {
    const testServer = await startTestServer({ folder: temporaryFolder().path });
    try {
      const ask = (role: string) =>
        callUrl(`${testServer.url}/metrics`, { method: 'GET', token: testServer.issueToken(role) });
      assert.equal((await ask('engineering')).status, 403);
    } finally {
      await testServer.close();
    }
  });
});
