import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportPKCS8, generateKeyPair } from 'jose';
import { startIdentityProvider } from '../../support/identity-provider.js';
import { type OpenSetting, type PageSettings, PASSWORD, withNewVault } from '../installations.js';
import { openDemo } from './demo.js';

/** The pages about secrets, tokens and roles whose commands are executed, each with its initial environment. */
export const IDENTITY: PageSettings = {
  'docs/guides/access.md': openDemo,
  'docs/guides/secrets.md': withNewVault,
  'docs/guides/tokens.md': withIssuer,
};

/**
 * Starts the demo with a trusted identity provider that has a client, and with the private key of another
 * issuer.
 */
async function withIssuer(): Promise<OpenSetting> {
  const provider = await startIdentityProvider({ claims: { realm_access: { roles: ['net-admins'] } } });
  const { world, env, ...setting } = await openDemo();
  const main = join(setting.folder, 'config/gatehouse.yaml');
  const issuer = `{ issuer: ${provider.issuer}, audience: gatehouse, discovery: true, algorithms: [RS256],
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
      PASSWORD,
      ISSUER: provider.issuer,
      CLIENT_ID: id,
      CLIENT_SECRET: secret,
      SCOPE: 'profile',
    },
    close: async () => {
      await Promise.all([setting.close(), provider.close()]);
    },
  };
}
