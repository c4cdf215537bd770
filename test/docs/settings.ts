import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportPKCS8, generateKeyPair } from 'jose';
import { callUrl } from '../support/call.js';
import { CATALOGUE_ADAPTER } from '../support/catalogue-adapter.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { createInventoryDouble } from '../support/inventory-double.js';
import { cheapHash } from '../support/password-hash.js';
import { startStreamOrchestrator } from '../support/stream-orchestrator.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import {
  openFirstInstallation,
  type OpenSetting,
  PASSWORD,
  withCheckout,
  withCommunityAdapter,
  withExamples,
  withMachine,
  withNewVault,
  withPluginAuthor,
  withProperties,
  withVault,
} from './installations.js';

/** The guides whose commands are executed, each with its initial environment. */
export const SETTINGS: Readonly<Record<string, () => Promise<OpenSetting>>> = {
  'README.md': openFirstInstallation,
  'config/examples/README.md': withExamples,
  'docs/guides/access.md': openDemo,
  'docs/guides/audit.md': openAudit,
  'docs/guides/calling.md': withStreams,
  'docs/guides/certificates.md': withPort,
  'docs/guides/community-adapters.md': withRunningAdapter,
  'docs/guides/configuring.md': withCheckout,
  'docs/guides/console.md': withForm,
  'docs/guides/deploying.md': withMachine,
  'docs/guides/deprecations.md': openDemo,
  'docs/guides/forms.md': openDemo,
  'docs/guides/git.md': withCommands,
  'docs/guides/managing.md': withCatalogue,
  'docs/guides/mcp.md': withTools,
  'docs/guides/moving.md': withProperties,
  'docs/guides/operating.md': withWorkers,
  'docs/guides/plugins.md': withPluginAuthor,
  'docs/guides/secrets.md': withNewVault,
  'docs/guides/tokens.md': withIssuer,
  'docs/guides/troubleshooting.md': openDemo,
  'docs/guides/yang.md': withModules,
  'plugins/README.md': withVault,
};

/** The text of each adapter file, by adapterId. */
type AdapterFiles = Readonly<Record<string, string>>;

/** A disabled adapter without an orchestrator. */
const OFF = 'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\nenabled: false\n';

/** The demo server, at the address that the command `gatehouse` connects to. */
async function withCommands(): Promise<OpenSetting> {
  const setting = await openDemo();
  return { ...setting, env: { ...setting.env, GATEHOUSE: setting.world.url } };
}

/** Starts the demo with tools for agents. */
function withTools(): Promise<OpenSetting> {
  return openDemo({}, 'mcp: { enabled: true }\n');
}

/** Starts the environment of `npm run demo` with a user, a client and an audit file. */
async function openDemo(
  more: AdapterFiles = {},
  settings = '',
): Promise<OpenSetting & { readonly world: TestServer }> {
  const folder = temporaryFolder().path;
  const world = await startTestServer({
    folder: join(folder, 'config'),
    arrange: (config, vault) => {
      const file = join(config, 'gatehouse.yaml');
      const text = readFileSync(file, 'utf8')
        .replace(/^audit: .*$/m, 'audit: { file: ../data/audit.log }')
        .replace(/^auth: .*$/m, ACCOUNTS);
      writeFileSync(
        file,
        `${text}forms: { tasks: { messageOrigins: ["https://portal.example"] } }\n${settings}`,
      );
      for (const [name, adapter] of Object.entries({ off: OFF, ...more }))
        writeFileSync(join(config, `adapters/${name}.yaml`), adapter);
      vault.putSecret({ path: 'adapters/core3' }, { password: PASSWORD });
    },
  });
  return {
    folder,
    world,
    port: new URL(world.url).port,
    env: { GATEHOUSE: 'http://127.0.0.1:3000', TOKEN: world.issueToken('admin') },
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

/** Opens an installation with the repository of an adapter, and starts the demo with this adapter as `inventory`. */
async function withRunningAdapter(): Promise<OpenSetting> {
  const installation = await withCommunityAdapter();
  // Its file holds the password, which therefore is no secret of the Vault.
  const password = randomUUID();
  const inventory = await createInventoryDouble({ password });
  const properties = {
    ...{ host: '127.0.0.1', port: inventory.port, protocol: 'http', base_path: '/api', version: 'v1' },
    authentication: { auth_method: 'request_token', username: 'gatehouse', password },
    healthcheck: { type: 'none' },
  };
  const demo = await openDemo({
    inventory: JSON.stringify({
      plugin: 'itential-adapter',
      baseUrl: `http://127.0.0.1:${inventory.port}`,
      options: { folder: CATALOGUE_ADAPTER, properties },
    }),
  });
  await eventually(async () => {
    const { text } = await callUrl(`${demo.world.url}/health/adapters/inventory`, {
      method: 'GET',
      token: demo.world.issueToken('admin'),
    });
    assert.match(text, /"RUNNING"/);
  });
  return {
    ...installation,
    ...(demo.port !== undefined && { port: demo.port }),
    env: { ...installation.env, ...demo.env },
    close: async () => {
      await Promise.all([installation.close(), demo.close()]);
      await inventory.close();
    },
  };
}

/** Starts the demo with an orchestrator that stores files, sends events and supports WebSocket. */
async function withStreams(): Promise<OpenSetting> {
  const orchestrator = await startStreamOrchestrator(
    {
      latest: (_request, response) => response.end('backup'),
      NETCONF: (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"link": "down"}\n\n'),
    },
    (socket) => socket.end(LAST_WORDS),
  );
  const { world, names, ...setting } = await openDemo({
    streams: `plugin: http-rest\nbaseUrl: ${orchestrator.url}\n`,
  });
  writeFileSync(join(setting.folder, 'image.bin'), 'image');
  const streamed = ['images', 'backups', 'streams', 'events'].map(
    (path) => [`/proxy/core1/${path}`, `/proxy/streams/${path}`] as const,
  );
  return {
    ...setting,
    names: new Map([...names, ...streamed, ['ws://127.0.0.1:3000', world.url.replace('http:', 'ws:')]]),
    close: async () => {
      await setting.close();
      await orchestrator.close();
    },
  };
}

/** A text message and the close of a WebSocket (RFC 6455 section 5). */
const LAST_WORDS = Buffer.from([0x81, 2, ...Buffer.from('up'), 0x88, 0]);

/** Starts the demo with a configuration folder into which packages can be installed. */
async function withCatalogue(): Promise<OpenSetting> {
  const { names, ...setting } = await openDemo();
  return { ...setting, names: new Map([...names, ['/etc/gatehouse', join(setting.folder, 'config')]]) };
}

/** Starts the demo and adds the configuration of another server with workers. */
async function withWorkers(): Promise<OpenSetting> {
  const { env, ...setting } = await openDemo();
  const folder = join(setting.folder, 'release');
  const main = join(folder, 'gatehouse.yaml');
  mkdirSync(join(folder, 'adapters'), { recursive: true });
  writeFileSync(
    main,
    `server: { listen: "127.0.0.1:0", workers: 2 }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
`,
  );
  return { ...setting, env: { ...env, GATEHOUSE_CONFIG: main } };
}

/** More failures than one page of the search in the guide returns. */
const FAILURES = 25;

/** Starts the demo with failed calls before and after the audit file is moved. */
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

/** Sends a call of ada through a disabled adapter. */
async function fail(world: TestServer): Promise<void> {
  const params = { path: '/', accept: '*/*', method: 'DELETE' };
  const { status } = await post(world, '/orchestrator_manager/restAction/off', { params, body: {} });
  assert.equal(status, 503);
}

function post(world: TestServer, path: string, body: object): Promise<Response> {
  return fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.issueToken('admin')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Starts the demo with a form. */
async function withForm(): Promise<OpenSetting> {
  const { world, ...setting } = await openDemo();
  const { status } = await post(world, '/json-forms/forms', { name: 'Provision VLAN', schema: {} });
  assert.equal(status, 200);
  return setting;
}

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

/** Creates an empty folder. Servers of the guide listen on a free port. */
function withPort(): Promise<OpenSetting> {
  return Promise.resolve({
    folder: temporaryFolder().path,
    env: {},
    names: new Map([['0.0.0.0:3443', '127.0.0.1:0']]),
    close: () => Promise.resolve(),
  });
}

/** Starts the demo with YANG modules in the folder. */
async function withModules(): Promise<OpenSetting> {
  const setting = await openDemo();
  mkdirSync(join(setting.folder, 'modules'));
  for (const [name, text] of Object.entries(MODULES)) writeFileSync(join(setting.folder, name), text);
  return setting;
}

/** Minimal versions of the modules that the guide names. */
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
