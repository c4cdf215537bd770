import assert from 'node:assert/strict';
import type { VaultFolder } from '../../src/features/secrets-page/vault-browse-view.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type Bench, openBench, READ_ADAPTERS, withGatehouse } from './bench.js';

describeWith(OPENBAO, 'GET /console/vault/paths, on a real OpenBao', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
    const body = { data: { 'ssh key': 'pw-of-ssh' } };
    await bench.bao.ask('POST', 'secret/data/adapters/team%201/keys', { body });
  });
  after(() => bench.close());

  it('says which policy is missing for the capability list, and lists the fields nevertheless', async () => {
    const { auth, files } = await bench.appRole('edge');
    const lines = [auth, 'adapterScope: adapters', 'request: { attempts: 1, deadlineMs: 1000 }'];
    await withGatehouse(bench.configuration(lines, files), async (gatehouse) => {
      const folderOf = async (path = ''): Promise<VaultFolder> => {
        const query = new URLSearchParams({ adapter: 'new1', ...(path !== '' && { path }) });
        const reply = await gatehouse.admin('GET', `/console/vault/paths?${query.toString()}`);
        assert.equal(reply.status, 200, reply.text);
        assert.ok(!reply.text.includes('pw-of'), reply.text);
        return reply.json as VaultFolder;
      };
      const namesIn = async (path?: string) => (await folderOf(path)).entries.results.map(({ name }) => name);
      const { entries, secret } = await folderOf('adapters/team%201/keys');
      assert.match(
        entries.fault?.fix ?? '',
        /path "secret\/metadata\/adapters\/team 1\/keys\/\*" \{ capabilities = \["list"\] \}/,
      );
      assert.deepEqual(secret.fields, [
        { name: 'ssh key', reference: '$VAULT_adapters/team%201/keys#ssh%20key', refusal: null },
      ]);
      // The advice of the top folder opens the folders below it as well.
      const advice = /path .*\}/.exec((await folderOf()).entries.fault?.fix ?? '')?.[0] ?? '';
      const body = { policy: `${READ_ADAPTERS}\n${advice}` };
      await bench.bao.ask('PUT', 'sys/policies/acl/gatehouse', { body });
      assert.deepEqual(await namesIn(), ['nso1', 'team 1']);
      assert.deepEqual(await namesIn('adapters/team%201'), ['keys']);
    });
  });
});
