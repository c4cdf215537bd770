import assert from 'node:assert/strict';
import { checkVaultSettings } from '../../../src/secrets/vault/check-settings.js';
import type { VaultSettings } from '../../../src/settings/vault.js';
import { appRoleAuth, vaultSettings } from '../fixtures.js';

const APPROLE = appRoleAuth({ roleIdFile: '/run/r', secretIdFile: '/run/s' });
const VALID_SETTINGS: VaultSettings = {
  ...vaultSettings({ address: 'https://vault.example.net:8200' }),
  namespace: 'team/a',
  auth: APPROLE,
  allowInsecure: false,
};
const TLS = VALID_SETTINGS.tls;

function faultsOf(changes: Partial<VaultSettings>, env: Record<string, string> = {}): readonly string[] {
  return checkVaultSettings({ ...VALID_SETTINGS, ...changes }, env).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
}

describe('checkVaultSettings', () => {
  it('accepts valid settings', () => {
    assert.deepEqual(faultsOf({}), []);
    assert.deepEqual(faultsOf({ mount: 'team/kv', address: ['https://vault:8200/', 'https://b'] }), []);
    assert.deepEqual(faultsOf({ proxy: 'http://proxy:3128' }), []);
    assert.deepEqual(faultsOf({ tls: { ...TLS, certFile: '/c', keyFile: '/k' } }), []);
  });

  it('permits http to a loopback address, and to other hosts only with allowInsecure', () => {
    for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]'])
      assert.deepEqual(faultsOf({ address: [`http://${host}:8200`] }), []);
    assert.deepEqual(faultsOf({ address: ['http://127.evil.net:8200'] }), ['/address VAULT_INSECURE']);
    assert.deepEqual(faultsOf({ address: ['http://vault:8200'] }), ['/address VAULT_INSECURE']);
    assert.deepEqual(faultsOf({ address: ['http://vault:8200'], allowInsecure: true }), []);
    const address = ['https://a', 'http://b', 'https://c'];
    assert.deepEqual(faultsOf({ address }), ['/address/1 VAULT_INSECURE']);
  });

  it('refuses to send the token unencrypted to a proxy on another host', () => {
    const address = ['http://127.0.0.1:8200'];
    assert.deepEqual(faultsOf({ address, proxy: 'http://127.0.0.1:3128' }), []);
    assert.deepEqual(faultsOf({ address, proxy: 'http://proxy:3128' }), ['/proxy VAULT_INSECURE']);
    assert.deepEqual(faultsOf({ address, proxy: 'http://proxy:3128', allowInsecure: true }), []);
  });

  it('requires an http or https origin as each address, and an http origin as the proxy', () => {
    const wrong = [
      'vault:8200',
      '',
      'ftp://vault',
      'https://u:p@vault',
      'https://vault/v1',
      'https://vault?x',
    ];
    for (const address of wrong)
      assert.deepEqual(faultsOf({ address: [address] }), ['/address VAULT_ADDRESS'], address);
    for (const proxy of ['proxy:3128', 'https://proxy', 'http://u:p@proxy', 'http://proxy/x'])
      assert.deepEqual(faultsOf({ proxy }), ['/proxy VAULT_ADDRESS'], proxy);
  });

  it('refuses mounts with empty, relative or encoded segments', () => {
    for (const mount of ['', '/secret', 'secret/', 'a/../sys', 'a%2fb', 'a b'])
      assert.deepEqual(faultsOf({ mount }), ['/mount VAULT_MOUNT'], mount);
    const auth = { ...APPROLE, mount: '../token' };
    assert.deepEqual(faultsOf({ auth }), ['/auth/mount VAULT_MOUNT']);
  });

  it('requires every file and path that the login method needs', () => {
    const { secretIdFile, ...without } = APPROLE;
    assert.equal(secretIdFile, '/run/s');
    assert.deepEqual(faultsOf({ auth: without }), []);
    assert.deepEqual(faultsOf({ auth: { ...without, secretIdWrapped: true } }), [
      '/auth/secretIdFile VAULT_SETTINGS',
      '/auth/secretIdWrapPath VAULT_SETTINGS',
    ]);
    const auth = { method: 'cert', mount: 'cert', namespace: null, name: null } as const;
    assert.deepEqual(faultsOf({ auth }), ['/tls/certFile VAULT_SETTINGS']);
    assert.deepEqual(faultsOf({ auth, tls: { ...TLS, certFile: '/c' } }), ['/tls/keyFile VAULT_SETTINGS']);
    const tls = { ...TLS, certFile: '/c', keyFile: '/k' };
    const address = ['http://127.0.0.1:8200'];
    assert.deepEqual(faultsOf({ auth, tls, address }), ['/address VAULT_SETTINGS']);

    assert.deepEqual(faultsOf({ tls: { ...TLS, keyFile: '/k' } }), ['/tls/certFile VAULT_SETTINGS']);
  });

  it('G-09 refuses a reference in the vault settings, which references depend on', () => {
    assert.deepEqual(faultsOf({ namespace: '$VAULT_a#b' }), ['/namespace VAULT_REF_MISPLACED']);
  });

  it('T-10 refuses VAULT_SKIP_VERIFY with any value', () => {
    for (const value of ['1', 'false', ''])
      assert.deepEqual(faultsOf({}, { VAULT_SKIP_VERIFY: value }), [' VAULT_INSECURE']);
  });
});
