import assert from 'node:assert/strict';
import { createVaultDouble, type VaultDouble } from '../support/vault-double.js';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

for (const flavour of ['vault', 'openbao'] as const) {
  describe(`the database engine of the double (${flavour})`, () => {
    let vault: VaultDouble;
    beforeEach(async () => {
      vault = await createVaultDouble({ flavour });
      vault.mountDatabase('database');
    });
    afterEach(() => vault.close());

    async function ask(path: string, body?: object, token = vault.rootToken): Promise<Answer> {
      const headers = { 'x-vault-token': token };
      const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
      const reply = await fetch(`${vault.address}/v1/${path}`, init);
      const text = await reply.text();
      return { status: reply.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
    }

    it('creates a new account for every read', async () => {
      vault.createDatabaseRole('ro', { ttl: 60 });
      const [one, other] = [await ask('database/creds/ro'), await ask('database/creds/ro')];
      assert.equal(one.status, 200);
      assert.match(String(one.body['lease_id']), /^database\/creds\/ro\//);
      assert.deepEqual([one.body['renewable'], one.body['lease_duration']], [true, 60]);
      assert.notDeepEqual(one.body['data'], other.body['data']);
      assert.equal(vault.lentAccounts().length, 2);
      const unknown = await ask('database/creds/none');
      assert.deepEqual([unknown.status, unknown.body], [400, { errors: ['unknown role: none'] }]);
    });

    it('renews a lease up to its maximum life, with a warning at the maximum', async () => {
      vault.createDatabaseRole('ro', { ttl: 60, maxTtl: 90 });
      const { body: lent } = await ask('database/creds/ro');
      vault.advance(50);
      const { body } = await ask('sys/leases/renew', { lease_id: lent['lease_id'], increment: 60 });
      const seconds = Number(body['lease_duration']);
      assert.ok(seconds >= 39 && seconds <= 40);
      assert.match(String(body['warnings']), /exceeded the effective max_ttl/);
      vault.advance(60);
      const ended = await ask('sys/leases/renew', { lease_id: lent['lease_id'] });
      assert.deepEqual([ended.status, ended.body], [400, { errors: ['lease not found'] }]);
      assert.equal((await ask('sys/leases/renew', {})).status, 400);
    });

    it('ends a lease when the lease or its token is revoked', async () => {
      vault.createDatabaseRole('ro');
      vault.putPolicy('db', { 'database/creds/*': ['read'] });
      const token = vault.createToken({ policies: ['db'], ttl: 600 });
      const { body } = await ask('database/creds/ro', undefined, token);
      await ask('database/creds/ro', undefined, token);
      assert.equal((await ask('sys/leases/revoke', { lease_id: body['lease_id'] }, token)).status, 403);
      assert.equal((await ask('sys/leases/revoke', { lease_id: body['lease_id'] })).status, 204);
      assert.equal(vault.lentAccounts().length, 1);
      await ask('auth/token/revoke-self', {}, token);
      assert.deepEqual(vault.lentAccounts(), []);
    });

    it('returns a static account without a lease', async () => {
      vault.createStaticRole('app', 86_400);
      const { body } = await ask('database/static-creds/app');
      const data = body['data'] as Record<string, unknown>;
      assert.equal(body['lease_id'], '');
      assert.deepEqual(Object.keys(data), [
        'username',
        'password',
        'ttl',
        'rotation_period',
        'last_vault_rotation',
      ]);
    });
  });
}
