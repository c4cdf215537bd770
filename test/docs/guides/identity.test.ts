import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportPKCS8, generateKeyPair } from 'jose';
import { startOidcProvider } from '../../support/oidc-provider.js';
import { openDemo, shareDemo } from './demo.js';
import { followGuides } from './follow-guides.js';
import { type OpenSetting, PASSWORD, withVault } from './installations.js';

// `test/openbao/guides.test.ts` follows the pages that set up a Vault or an OpenBao.
followGuides({
  'docs/how-to/control-access.md': shareDemo,
  'docs/how-to/end-sessions-and-rotate-signing-keys.md': withSigningKey,
  'docs/how-to/issue-tokens-to-scripts.md': withPassword,
  'docs/how-to/manage-local-users.md': withPassword,
  'docs/how-to/migrate-enc-values.md': withEncryptedValue,
  'docs/how-to/read-secrets-from-files.md': withSecretFolder,
  'docs/how-to/rotate-a-secret.md': withStoredSecret,
  'docs/how-to/trust-a-token-issuer.md': withIssuer,
  'docs/how-to/use-secrets.md': withStoredSecret,
});

/** Starts the demo with the key file of its built-in issuer where the page expects it. */
async function withSigningKey(): Promise<OpenSetting> {
  const { names, ...setting } = await openDemo();
  return { ...setting, names: new Map([...names, ['data/local-issuer', 'config/data/local-issuer']]) };
}

/** Starts the demo with a password to hash. */
async function withPassword(): Promise<OpenSetting> {
  const { env, ...setting } = await openDemo();
  return { ...setting, env: { ...env, PASSWORD } };
}

/** Creates an installation with a Vault, and an adapter with a password that the platform encrypted. */
async function withEncryptedValue(): Promise<OpenSetting> {
  const setting = await withVault();
  const vault = `vault: { address: "${setting.vault.address}", auth: { method: token } }\n`;
  writeFileSync(join(setting.folder, 'config/gatehouse.yaml'), vault);
  writeFileSync(
    join(setting.folder, 'config/adapters/nso1.yaml'),
    `plugin: restconf
baseUrl: https://nso.example:8888
auth: { type: basic, username: admin, password: '$ENC96f2c1d07ab4e85b1c2d' }
`,
  );
  return setting;
}

/** Creates an empty installation whose secrets are in files. */
async function withSecretFolder(): Promise<OpenSetting> {
  const { folder, ...setting } = await withVault();
  return { ...setting, folder, names: new Map([['/run/secrets', `${folder}/run/secrets`]]) };
}

/** Starts the demo with the token of the administrator of its Vault, and a new password. */
async function withStoredSecret(): Promise<OpenSetting> {
  const { world, env, ...setting } = await openDemo();
  const { address, rootToken } = world.vault;
  return {
    ...setting,
    env: { ...env, VAULT_ADDR: address, VAULT_TOKEN: rootToken, NEW_PASSWORD: PASSWORD },
  };
}

/**
 * Starts the demo with a trusted identity provider that has a client, and with the private key of another
 * issuer.
 */
async function withIssuer(): Promise<OpenSetting> {
  const provider = await startOidcProvider({ algorithm: 'RS256' });
  const { world, env, ...setting } = await openDemo();
  const main = join(setting.folder, 'config/gatehouse.yaml');
  const issuer = `{ issuer: "${provider.url}", audience: gatehouse, discovery: true, algorithms: [RS256],
    rolesClaim: /realm_access/roles, roleMap: { net-admins: admin } }`;
  writeFileSync(main, readFileSync(main, 'utf8').replace(/^auth:$/m, `auth:\n  issuers: [${issuer}]`));
  assert.deepEqual(await world.running.reload(), []);
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  writeFileSync(join(setting.folder, 'private-key.pem'), await exportPKCS8(privateKey), { mode: 0o600 });
  const { id, secret } = provider.client;
  const { address, rootToken } = world.vault;
  return {
    ...setting,
    env: {
      ...env,
      VAULT_ADDR: address,
      VAULT_TOKEN: rootToken,
      ISSUER: provider.url,
      CLIENT_ID: id,
      CLIENT_SECRET: secret,
      SCOPE: 'profile',
    },
    close: async () => {
      await Promise.all([setting.close(), provider.close()]);
    },
  };
}
