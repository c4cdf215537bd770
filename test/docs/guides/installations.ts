import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, SignJWT } from 'jose';
import { CATALOGUE_ADAPTER } from '../../support/catalogue-adapter.js';
import { makeCertificate } from '../../support/certificates.js';
import { writeInput } from '../../support/input-file.js';
import { startJwksServer } from '../../support/jwks-server.js';
import { rsaKeys } from '../../support/keys.js';
import { createRestconfDouble } from '../../support/restconf-double.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createVaultDouble, type VaultDouble } from '../../support/vault-double.js';
import { readPage, ROOT } from '../markdown.js';
import type { Setting } from './reader.js';

/** The environment of a guide. All services are real and listen on loopback. */
export interface OpenSetting extends Setting {
  close(): Promise<void>;
}

/** A folder, and nothing that listens. */
export const inFolder = (folder = temporaryFolder().path): OpenSetting => ({
  folder,
  env: {},
  names: new Map(),
  close: () => Promise.resolve(),
});

/** The password of the orchestrators in all guides. */
export const PASSWORD = 'pw-of-the-guides-51c7-d20e';

/** Starts an empty Vault with a token for its administrator. */
export async function withVault(): Promise<OpenSetting & { readonly vault: VaultDouble }> {
  const folder = temporaryFolder().path;
  const vault = await createVaultDouble();
  for (const name of ['config/adapters', 'run/vault']) mkdirSync(join(folder, name), { recursive: true });
  return {
    folder,
    vault,
    env: { VAULT_ADDR: vault.address, VAULT_TOKEN: vault.rootToken, PASSWORD },
    names: new Map([
      ['https://vault.example:8200', vault.address],
      ['/run/vault/', `${folder}/run/vault/`],
    ]),
    close: () => vault.close(),
  };
}

/** Creates a fresh checkout and a copy of its configuration for production. */
export async function withCheckout(): Promise<OpenSetting> {
  const { folder, ...setting } = await withVault();
  const main = `${readFileSync(join(ROOT, 'config/gatehouse.yaml'), 'utf8')}server: { listen: "127.0.0.1:0" }\n`;
  mkdirSync(join(folder, 'etc/gatehouse'), { recursive: true });
  for (const name of ['config', 'etc/gatehouse']) writeFileSync(join(folder, name, 'gatehouse.yaml'), main);
  return { ...setting, folder, names: new Map([['/etc/gatehouse/', `${folder}/etc/gatehouse/`]]) };
}

/**
 * Starts all systems around gatehouse: an orchestrator, a Vault with its password, an issuer, and the token
 * of a caller.
 */
export async function openFirstInstallation(): Promise<OpenSetting> {
  const { folder, vault, ...given } = await withVault();
  const orchestrator = await createRestconfDouble({ username: 'admin', password: PASSWORD });
  const idp = await startJwksServer();
  const { privateKey, publicKey } = rsaKeys('guides');
  idp.publish({ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' });
  const token = await new SignJWT({ realm_access: { roles: ['net-admins'] }, sub: 'ada', aud: 'gatehouse' })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setIssuer(idp.url)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey);
  vault.putSecret({ path: 'adapters/nso1' }, { password: PASSWORD });
  giveRole(vault, join(folder, 'run/vault'), ['role_id', 'secret_id']);
  writeFileSync(join(folder, 'cas.pem'), orchestrator.caPem ?? '');
  return {
    folder,
    env: { ...given.env, TOKEN: token, IDP_TOKEN: token, NODE_EXTRA_CA_CERTS: join(folder, 'cas.pem') },
    names: new Map([
      ...given.names,
      ['https://idp.example/realms/net', idp.url],
      ['https://nso.example:8888', orchestrator.url],
    ]),
    close: async () => {
      await Promise.all([given.close(), orchestrator.close(), idp.close()]);
    },
  };
}

/** Configures an AppRole login of gatehouse with these files for role id and secret id. */
function giveRole(
  vault: VaultDouble,
  folder: string,
  [roleFile, secretFile]: readonly [string, string],
): void {
  vault.putPolicy('gatehouse', { 'secret/data/adapters/*': ['read'] });
  const { roleId, secretId } = vault.createAppRole('gatehouse', { policies: ['gatehouse'] });
  writeFileSync(join(folder, roleFile), roleId, { mode: 0o600 });
  writeInput(join(folder, secretFile), secretId, { mode: 0o600 });
}

/** Creates an installation with its Vault and the shipped examples. */
export async function withExamples(): Promise<OpenSetting> {
  const setting = await withVault();
  const { folder, env } = setting;
  cpSync(join(ROOT, 'config/examples'), join(folder, 'config/examples'), { recursive: true });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, (await makeCertificate({ dns: 'ca.example' })).cert);
  return withMain({ ...setting, env: { ...env, CA_FILE: ca } });
}

/** Creates an installation with its Vault and the repository of an adapter. */
export async function withCommunityAdapter(): Promise<OpenSetting> {
  const { env, ...setting } = await withVault();
  return withMain({ ...setting, env: { ...env, REPOSITORY: CATALOGUE_ADAPTER } });
}

/** Creates an empty folder, and an orchestrator that returns its tenant. */
export async function withPluginAuthor(): Promise<OpenSetting> {
  const orchestrator = await openJsonServer(({ headers }) => [200, { tenant: headers['x-tenant'] }]);
  return {
    ...inFolder(),
    names: new Map([['https://nms.example', orchestrator.url]]),
    close: orchestrator.close,
  };
}

function withMain(setting: OpenSetting): OpenSetting {
  const vault = `vault: { address: "${setting.env['VAULT_ADDR'] ?? ''}", auth: { method: token } }\n`;
  writeFileSync(join(setting.folder, 'config/gatehouse.yaml'), vault);
  return setting;
}

/** Starts the platform with the properties of the example in the guide, and its secrets in Vault. */
export async function withProperties(): Promise<OpenSetting> {
  const { folder, vault, env, ...setting } = await withVault();
  const platform = await openPlatform();
  const { blocks } = readPage('docs/how-to/move-from-the-platform.md');
  const { text = '' } = blocks.find(({ language }) => language === 'json') ?? {};
  const tokenFile = join(folder, 'token');
  writeFileSync(
    join(folder, 'properties.json'),
    text
      .replace('https://vault.example:8200', vault.address)
      .replace('/opt/platform/vault/token.txt', tokenFile),
  );
  writeInput(tokenFile, vault.rootToken, { mode: 0o600 });
  vault.putSecret({ path: 'adapters/nso1' }, { password: PASSWORD });
  vault.putSecret({ path: 'platform/inventory' }, { token: PASSWORD });
  return {
    ...setting,
    folder,
    env: { ...env, PLATFORM: platform.url, TOKEN: PLATFORM_TOKEN },
    close: async () => {
      await Promise.all([setting.close(), platform.close()]);
    },
  };
}

const PLATFORM_TOKEN = 'token-of-the-platform-90bd';

/** Starts the API of a platform without profiles and adapters in its database. */
function openPlatform(): ReturnType<typeof openJsonServer> {
  return openJsonServer(({ url = '', headers }) => {
    const isAllowed = headers.authorization === `Bearer ${PLATFORM_TOKEN}`;
    const isKnown = ['/profiles', '/adapters?limit=1000'].includes(url);
    return [isAllowed ? (isKnown ? 200 : 404) : 401, { results: [], total: 0 }];
  });
}

/** Starts a server that replies with a status and a JSON document. */
async function openJsonServer(
  replyTo: (request: IncomingMessage) => readonly [status: number, body: object],
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const [status, body] = replyTo(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Creates the folders of a Debian machine, the Vault credentials of gatehouse, and the checkout of a release.
 */
export async function withMachine(): Promise<OpenSetting> {
  const { folder, vault, env, ...setting } = await withVault();
  const etc = join(folder, 'etc/gatehouse');
  for (const name of ['adapters', 'credentials']) mkdirSync(join(etc, name), { recursive: true });
  for (const name of ['etc/default', 'etc/systemd/system', 'usr/lib/sysusers.d'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'etc/default/gatehouse'), `VAULT_ADDR=${vault.address}\n`);
  cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
  giveRole(vault, join(etc, 'credentials'), ['vault_role_id', 'vault_secret_id']);
  vault.putSecret({ path: 'adapters/nso1' }, { password: PASSWORD });
  writeFileSync(
    join(etc, 'adapters/nso1.yaml'),
    `plugin: restconf
baseUrl: https://nso.example:8888
auth: { type: basic, username: admin, password: $VAULT_adapters/nso1#password }
`,
  );
  writeFileSync(join(folder, 'file-with-the-url'), 'postgres://gatehouse@db.example:5432/gatehouse');
  writeFileSync(join(folder, 'kubernetes-ca.pem'), (await makeCertificate({ dns: 'kubernetes' })).cert);
  const at = (path: string): [string, string] => [path, join(folder, path)];
  return { ...setting, folder, env, names: new Map(['/opt/', '/etc/', '/usr/lib/'].map(at)) };
}
