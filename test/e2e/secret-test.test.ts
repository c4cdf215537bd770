import assert from 'node:assert/strict';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the test of a reference', () => {
  let testServer: TestServer;
  let clock: FakeScheduler;
  before(async () => {
    clock = createFakeScheduler(Date.now());
    testServer = await startTestServer({
      folder: temporaryFolder().path,
      clock,
      adapterScope: 'adapters/{name}',
      vaultLines: '  request: { attempts: 1 }\n',
    });
  });
  after(() => testServer.close());

  const ask = (...call: Parameters<TestServer['ask']>) => testServer.ask(...call);

  it('tests a reference that is not in use yet for the adapter that may use it, and for no other', async () => {
    testServer.vault.putSecret({ path: 'adapters/nso9.example.com' }, { password: 'pw-of-nso9' });
    const test = async (text: string, adapter?: string) => {
      await clock.pass(1_000);
      return ask('POST', '/console/secrets/test', { reference: text, ...(adapter && { adapter }) });
    };
    const own = '$VAULT_adapters/nso9.example.com#password';
    const found = await test(own, 'nso9.example.com');
    assert.deepEqual(found.json, { ok: true, cause: null, fix: null });
    assert.equal(found.text.includes('pw-of-nso9'), false);
    for (const [text, adapter, message] of [
      [own, undefined, /not a reference that an adapter or a setting uses/],
      [own, 'nso8.example.com', /outside of "adapters\/nso8\.example\.com"/],
      [own, 'x/../nso9.example.com', /is no adapterId/],
      ['$VAULT_/other/adapters/nso8#password', 'nso8', /outside of "adapters\/nso8"/],
      ['$VAULT_adapters/core1/x#password', 'core1', /is an adapter of a file/],
      ['password', 'nso8', /is not a reference to Vault/],
    ] as const) {
      const refused = await test(text, adapter);
      assert.equal(refused.status, 400, text);
      assert.match((refused.json as { detail: string }).detail, message);
    }
    const missing = await test('$VAULT_adapters/nso7#password', 'nso7');
    assert.match(missing.text, /"ok":false,"cause":".*adapters\/nso7/);
  });

  it('is recorded with its reference, but never with other text', async () => {
    await clock.pass(1_000);
    await ask('POST', '/console/secrets/test', {
      reference: '$VAULT_adapters/audited#password',
      adapter: 'audited',
    });
    await ask('POST', '/console/secrets/test', { reference: 'text-of-a-password', adapter: 'audited' });
    const { text } = await ask('GET', '/audit?limit=5');
    assert.ok(text.includes('$VAULT_adapters/audited#password'), text);
    assert.ok(!text.includes('text-of-a-password'));
  });
});
