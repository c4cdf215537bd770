import assert from 'node:assert/strict';
import type { VaultSettings } from '../../src/domain/settings.js';
import { checkVaultSettings } from '../../src/secrets/check-settings.js';

const GOOD: VaultSettings = {
  address: 'https://vault.example.net:8200',
  namespace: 'team/a',
  mount: 'secret',
  kvVersion: 2,
  auth: { method: 'approle', mount: 'approle', roleIdFile: '/run/r', secretIdFile: '/run/s' },
  tls: { caFile: null, serverName: null },
  request: { deadlineMs: 5000, attempts: 3 },
  allowInsecure: false,
};

function faultsOf(changes: Partial<VaultSettings>, env: Record<string, string> = {}): readonly string[] {
  return checkVaultSettings({ ...GOOD, ...changes }, env).map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('checkVaultSettings', () => {
  it('finds nothing wrong with good settings', () => {
    assert.deepEqual(faultsOf({}), []);
    assert.deepEqual(faultsOf({ mount: 'team/kv', address: 'https://vault:8200/' }), []);
  });

  it('permits http on this machine, elsewhere only when told', () => {
    for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]'])
      assert.deepEqual(faultsOf({ address: `http://${host}:8200` }), []);
    assert.deepEqual(faultsOf({ address: 'http://127.evil.net:8200' }), ['/address VAULT_INSECURE']);
    assert.deepEqual(faultsOf({ address: 'http://vault:8200' }), ['/address VAULT_INSECURE']);
    assert.deepEqual(faultsOf({ address: 'http://vault:8200', allowInsecure: true }), []);
  });

  it('wants an origin as the address', () => {
    for (const address of [
      'vault:8200',
      '',
      'ftp://vault',
      'https://u:p@vault',
      'https://vault/v1',
      'https://vault?x',
    ])
      assert.deepEqual(faultsOf({ address }), ['/address VAULT_ADDRESS'], address);
  });

  it('wants mounts that lead nowhere else', () => {
    for (const mount of ['', '/secret', 'secret/', 'a/../sys', 'a%2fb', 'a b'])
      assert.deepEqual(faultsOf({ mount }), ['/mount VAULT_MOUNT'], mount);
    const auth = { ...GOOD.auth, mount: '../token' } as VaultSettings['auth'];
    assert.deepEqual(faultsOf({ auth }), ['/auth/mount VAULT_MOUNT']);
  });

  it('G-09 refuses a reference in the block that references need', () => {
    assert.deepEqual(faultsOf({ namespace: '$VAULT_a#b' }), ['/namespace VAULT_REF_MISPLACED']);
  });

  it('T-10 refuses VAULT_SKIP_VERIFY whatever it says', () => {
    for (const value of ['1', 'false', ''])
      assert.deepEqual(faultsOf({}, { VAULT_SKIP_VERIFY: value }), [' VAULT_INSECURE']);
  });
});
