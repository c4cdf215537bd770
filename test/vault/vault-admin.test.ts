import assert from 'node:assert/strict';
import { openVaultAdmin } from '../support/vault-admin.js';
import { createVaultDouble } from '../support/vault-double.js';

/** The cases may run against a shared server. */
describe('openVaultAdmin', () => {
  it('removes only the mounts, policies, roles and tokens that it created', async () => {
    const vault = await createVaultDouble();
    const { address, rootToken: token, vaultState } = vault;
    const { mounts, policies, appRoles } = vaultState.namespaces.get('') ?? assert.fail();
    const left = () => [
      [...mounts.keys()],
      [...policies.keys()],
      [...appRoles.keys()],
      [...vaultState.tokens.keys()],
    ];
    const before = left();
    const admin = openVaultAdmin({ address, token, prefix: 'x-' });
    await admin.mountKv('secret', 2);
    await admin.enableAppRole('approle');
    await admin.putPolicy('p', { 'secret/data/*': ['read'] });
    await admin.putPolicy('p', {});
    await admin.createAppRole('edge', { policies: ['p'] });
    await admin.createToken({ policies: ['p'], ttl: 60 });
    await admin.revokeToken(await admin.createToken({ policies: ['p'], ttl: 60 }));
    assert.ok(mounts.has('x-secret') && policies.has('x-p') && appRoles.has('x-approle'));
    await admin.close();
    assert.deepEqual(left(), before);
    await vault.close();
  });

  it('reports the request that the server refused', async () => {
    const vault = await createVaultDouble();
    const admin = openVaultAdmin({ address: vault.address, token: 'hvs.wrong', prefix: 'x-' });
    await assert.rejects(admin.mountKv('secret', 2), /refused POST sys\/mounts\/x-secret: 403/);
    await vault.close();
  });
});
