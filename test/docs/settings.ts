import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, exportPKCS8, generateKeyPair, SignJWT } from 'jose';
import { CATALOGUE_ADAPTER } from '../support/catalogue-adapter.js';
import { makeCertificate } from '../support/certificates.js';
import { startJwksServer } from '../support/jwks-server.js';
import { cheapHash } from '../support/password-hash.js';
import { createRestconfDouble } from '../support/restconf-double.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';
import { createVaultDouble, type VaultDouble } from '../support/vault-double.js';
import { namespaceOf } from '../support/vault-double/world.js';
import { openWorld, type World } from '../support/world.js';
import { readPage, ROOT } from './markdown.js';
import type { Setting } from './reader.js';

/** What a guide takes for given, all of it real and on loopback. */
export interface OpenSetting extends Setting {
  close(): Promise<void>;
}

const PASSWORD = 'pw-of-the-guides-51c7-d20e';

/** The guides whose commands are executed, each with what it begins with. */
export const SETTINGS: Readonly<Record<string, () => Promise<OpenSetting>>> = {
  'README.md': openFirstInstallation,
  'config/examples/README.md': withExamples,
  'docs/guides/audit.md': openAudit,
  'docs/guides/calling.md': openDemo,
  'docs/guides/community-adapters.md': withCommunityAdapter,
  'docs/guides/configuring.md': withCheckout,
  'docs/guides/console.md': withForm,
  'docs/guides/deprecations.md': openDemo,
  'docs/guides/forms.md': openDemo,
  'docs/guides/managing.md': openDemo,
  'docs/guides/moving.md': withProperties,
  'docs/guides/operating.md': openDemo,
  'docs/guides/secrets.md': withVault,
  'docs/guides/tokens.md': withPrivateKey,
  'docs/guides/troubleshooting.md': openDemo,
  'docs/guides/yang.md': withModules,
  'plugins/README.md': withVault,
};

/** What `npm run demo` starts, with a user, a client and an audit file. */
async function openDemo(): Promise<OpenSetting & { readonly world: World }> {
  const folder = temporaryFolder().path;
  const world = await openWorld({
    folder: join(folder, 'config'),
    arrange: (config, vault) => {
      const file = join(config, 'gatehouse.yaml');
      const text = readFileSync(file, 'utf8')
        .replace(/^audit: .*$/m, 'audit: { file: ../data/audit.log }')
        .replace(/^auth: .*$/m, ACCOUNTS);
      writeFileSync(file, `${text}forms: { tasks: { messageOrigins: ["https://portal.example"] } }\n`);
      writeFileSync(
        join(config, 'adapters/off.yaml'),
        'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\nenabled: false\n',
      );
      vault.putSecret({ path: 'adapters/core3' }, { password: PASSWORD });
    },
  });
  return {
    folder,
    world,
    port: new URL(world.url).port,
    env: { GATEHOUSE: 'http://127.0.0.1:3000', TOKEN: world.mint('admin') },
    names: new Map([
      ['https://inventory.example', world.inventoryUrl],
      ['https://core3.example:8443', world.orchestrator.url],
    ]),
    close: () => world.close(),
  };
}

const ACCOUNTS = `auth:
  local:
    keyFile: data/local-issuer.pem
    users: [{ username: ada, passwordHash: '${cheapHash('correct horse')}', roles: [admin] }]
    clients: [{ clientId: backup, clientSecretHash: '${cheapHash('correct-horse')}', roles: [admin] }]`;

/** More than a page of the search that the guide shows finds. */
const FAILURES = 25;

/** The same, where calls failed before the audit file was moved away, and after it. */
async function openAudit(): Promise<OpenSetting> {
  const { world, ...setting } = await openDemo();
  const file = join(setting.folder, 'data/audit.log');
  await fail(world);
  renameSync(file, `${file}.1`);
  await eventually(async () => {
    await fail(world);
    assert.ok(existsSync(file));
  });
  for (let count = 0; count < FAILURES; count += 1) await fail(world);
  return setting;
}

/** Has ada call through an adapter that is switched off. */
async function fail(world: World): Promise<void> {
  const params = { path: '/', accept: '*/*', method: 'DELETE' };
  const { status } = await post(world, '/orchestrator_manager/restAction/off', { params, body: {} });
  assert.equal(status, 503);
}

function post(world: World, path: string, body: object): Promise<Response> {
  return fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.mint('admin')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The demo with a form. */
async function withForm(): Promise<OpenSetting> {
  const { world, ...setting } = await openDemo();
  const { status } = await post(world, '/json-forms/forms', { name: 'Provision VLAN', schema: {} });
  assert.equal(status, 200);
  return setting;
}

/** A Vault with a token for its administrator, and nothing in it. */
async function withVault(): Promise<OpenSetting & { readonly vault: VaultDouble }> {
  const folder = temporaryFolder().path;
  const vault = await createVaultDouble();
  namespaceOf(vault.world, '').appRoles.delete('approle');
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

/** A fresh checkout, and a copy of its configuration for production. */
async function withCheckout(): Promise<OpenSetting> {
  const { folder, ...setting } = await withVault();
  const main = `${readFileSync(join(ROOT, 'config/gatehouse.yaml'), 'utf8')}server: { listen: "127.0.0.1:0" }\n`;
  mkdirSync(join(folder, 'etc/gatehouse'), { recursive: true });
  for (const name of ['config', 'etc/gatehouse']) writeFileSync(join(folder, name, 'gatehouse.yaml'), main);
  return { ...setting, folder, names: new Map([['/etc/gatehouse/', `${folder}/etc/gatehouse/`]]) };
}

/** Everything that gatehouse stands between: an orchestrator, a Vault that knows its password, an issuer, a caller's token. */
async function openFirstInstallation(): Promise<OpenSetting> {
  const { folder, vault, ...given } = await withVault();
  const orchestrator = await createRestconfDouble({ username: 'admin', password: PASSWORD });
  const idp = await startJwksServer();
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  idp.publish({ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' });
  const token = await new SignJWT({ realm_access: { roles: ['net-admins'] }, sub: 'ada', aud: 'gatehouse' })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setIssuer(idp.url)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey);
  vault.putSecret({ path: 'adapters/nso1' }, { password: PASSWORD });
  vault.putPolicy('gatehouse', { 'secret/data/adapters/*': ['read'] });
  namespaceOf(vault.world, '').appRoles.set('approle', new Map());
  const { roleId, secretId } = vault.createAppRole('gatehouse', { policies: ['gatehouse'] });
  for (const [name, text] of Object.entries({ role_id: roleId, secret_id: secretId }))
    writeFileSync(join(folder, 'run/vault', name), text, { mode: 0o600 });
  writeFileSync(join(folder, 'cas.pem'), orchestrator.caPem ?? '');
  return {
    folder,
    env: { ...given.env, TOKEN: token, NODE_EXTRA_CA_CERTS: join(folder, 'cas.pem') },
    names: new Map([
      ...given.names,
      ['0.0.0.0:3443', '127.0.0.1:0'],
      ['https://idp.example/realms/net', idp.url],
      ['https://nso.example:8888', orchestrator.url],
    ]),
    close: async () => {
      await Promise.all([given.close(), orchestrator.close(), idp.close()]);
    },
  };
}

/** An installation that knows its Vault, and the examples that are shipped. */
async function withExamples(): Promise<OpenSetting> {
  const setting = await withVault();
  const { folder, env } = setting;
  cpSync(join(ROOT, 'config/examples'), join(folder, 'config/examples'), { recursive: true });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, (await makeCertificate({ dns: 'ca.example' })).cert);
  return withMain({ ...setting, env: { ...env, CA_FILE: ca } });
}

/** An installation that knows its Vault, with the code of an adapter, and a repository to clone it from. */
async function withCommunityAdapter(): Promise<OpenSetting> {
  const setting = await withVault();
  mkdirSync(join(setting.folder, 'community'));
  symlinkSync(CATALOGUE_ADAPTER, join(setting.folder, 'community/adapter-inventory'));
  return withMain(setting);
}

function withMain(setting: OpenSetting): OpenSetting {
  const vault = `vault: { address: "${setting.env['VAULT_ADDR'] ?? ''}", auth: { method: token } }\n`;
  writeFileSync(join(setting.folder, 'config/gatehouse.yaml'), vault);
  return setting;
}

/** The platform's files of the guide's example, and its secrets in Vault. */
async function withProperties(): Promise<OpenSetting> {
  const { folder, vault, ...setting } = await withVault();
  const { blocks } = readPage('docs/guides/moving.md');
  const { text = '' } = blocks.find(({ language }) => language === 'json') ?? {};
  const tokenFile = join(folder, 'token');
  writeFileSync(
    join(folder, 'properties.json'),
    text
      .replace('https://vault.example:8200', vault.address)
      .replace('/opt/platform/vault/token.txt', tokenFile),
  );
  for (const name of ['profiles', 'adapters'])
    writeFileSync(join(folder, `${name}.json`), '{"results": [], "total": 0}');
  writeFileSync(tokenFile, vault.rootToken, { mode: 0o600 });
  vault.putSecret({ path: 'adapters/nso1' }, { password: PASSWORD });
  vault.putSecret({ path: 'platform/inventory' }, { token: PASSWORD });
  return { ...setting, folder };
}

/** An installation, and the private key of an issuer. */
async function withPrivateKey(): Promise<OpenSetting> {
  const { folder, ...setting } = await withCheckout();
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  writeFileSync(join(folder, 'private-key.pem'), await exportPKCS8(privateKey), { mode: 0o600 });
  return { ...setting, folder };
}

/** The demo, and YANG modules in the folder. */
async function withModules(): Promise<OpenSetting> {
  const setting = await openDemo();
  mkdirSync(join(setting.folder, 'modules'));
  for (const [name, text] of Object.entries(MODULES)) writeFileSync(join(setting.folder, name), text);
  return setting;
}

/** As short as they can be. */
const MODULES = {
  'ietf-interfaces.yang': `module ietf-interfaces {
  namespace "urn:ietf:params:xml:ns:yang:ietf-interfaces";
  prefix if;
  import ietf-yang-types { prefix yang; }
  container interfaces { leaf changed { type yang:date-and-time; } }
}
`,
  'iana-if-type.yang': `module iana-if-type {
  namespace "urn:ietf:params:xml:ns:yang:iana-if-type";
  prefix ianaift;
  identity iana-interface-type;
}
`,
  'modules/ietf-yang-types.yang': `module ietf-yang-types {
  namespace "urn:ietf:params:xml:ns:yang:ietf-yang-types";
  prefix yang;
  typedef date-and-time { type string; }
}
`,
} as const;
