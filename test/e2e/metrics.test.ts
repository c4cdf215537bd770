import assert from 'node:assert/strict';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { scrape } from '../support/scrape.js';
import { startTestServer, SECRET, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

describe('the metrics', () => {
  const clock = createFakeScheduler(Date.now());
  let server: TestServer;
  before(async () => {
    const vaultLines = '  request: { attempts: 1 }\n';
    server = await startTestServer({ clock, vaultLines });
  });
  after(() => server.close());

  it('count replies by adapter, and report the state of its upstream', async () => {
    const path = '/restconf/data';
    for (const [call, status] of [
      [server.query('core1', { path }), 200],
      [server.query('nowhere', { path }), 404],
      [server.call(`GET /proxy/core1${path}`), 200],
      [server.call('GET /nothing/here'), 404],
    ] as const)
      assert.equal((await call).status, status);
    // Streams are counted at their end, which may be after the caller has received everything.
    await until(() => server.logLines.join('').includes('"operation":"proxy.passThrough"'));
    const { samples, families } = await scrape(server);
    const RESTQUERY = 'operation="orchestrator-manager.restQuery"';
    for (const [name, value] of [
      [`gatehouse_requests_total{${RESTQUERY},adapter="core1",status="200"}`, 1],
      [`gatehouse_requests_total{${RESTQUERY},adapter="",status="404"}`, 1],
      ['gatehouse_requests_total{operation="proxy.passThrough",adapter="core1",status="200"}', 1],
      ['gatehouse_requests_total{operation="",adapter="",status="404"}', 1],
      ['gatehouse_upstream_breaker_state{adapter="core1",base_url="0",state="closed"}', 1],
      ['gatehouse_service_running{service="store"}', 1],
      ['gatehouse_store_connections', undefined],
    ] as const)
      assert.equal(samples.get(name), value, name);
    assert.ok((samples.get('process_resident_memory_bytes') ?? 0) > 1e6);
    for (const [name, { help, type }] of families) {
      assert.match(type, /^(counter|gauge|histogram|summary)$/, name);
      assert.match(help, /\S/, name);
    }
  });

  it('report the state of Vault, secrets and adapters, without paths and values', async () => {
    const { samples: before } = await scrape(server);
    assert.equal(before.get('vault_login_total{result="success"}'), 1);
    assert.equal(before.get('vault_requests_total{op="read",code="200"}'), 1);
    assert.equal(before.get('gatehouse_adapter_state{adapter="core1",state="RUNNING"}'), 1);
    assert.equal(before.get('vault_secret_stale_seconds{adapter="core1"}'), 0);
    assert.ok((before.get('vault_token_ttl_seconds') ?? 0) > 0);

    server.vault.putSecret({ path: SECRET.path }, { [SECRET.field]: 'the-next-password' });
    server.orchestrator.setPassword('the-next-password');
    assert.deepEqual(await server.running.reload(), []);
    server.vault.seal();
    const reads = server.vault.log.length;
    await clock.pass(330_000);
    await until(() => server.vault.log.length > reads);
    await until(() => server.logLines.join('').includes('VAULT_SEALED'));
    const { samples: after } = await scrape(server);
    assert.equal(after.get('gatehouse_config_reload_total{result="live"}'), 1);
    assert.ok((after.get('vault_refresh_errors_total{class="unavailable"}') ?? 0) >= 1);
    assert.ok((after.get('vault_secret_stale_seconds{adapter="core1"}') ?? 0) >= 300);
    for (const name of after.keys()) assert.doesNotMatch(name, /adapters\/core1|password|secret\/data/);
  });
});
