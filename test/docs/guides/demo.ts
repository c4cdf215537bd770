import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cheapHash } from '../../support/password-hash.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { type OpenSetting, PASSWORD } from './installations.js';

/** The text of each adapter file, by adapterId. */
type AdapterFiles = Readonly<Record<string, string>>;

/** A disabled adapter without an orchestrator. */
const OFF = 'plugin: http-rest\nbaseUrl: http://127.0.0.1:1\nenabled: false\n';

/** Starts the environment of `npm run demo` with a user, a client and an audit file. */
export async function openDemo(
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

let shared: ReturnType<typeof openDemo> | undefined;

/** Opens the demo that guides of a test file share, because they do not depend on its state. */
export async function shareDemo(): Promise<OpenSetting> {
  shared ??= openDemo();
  return { ...(await shared), close: () => Promise.resolve() };
}

/** Stops the shared demo after the last guide of a test file. */
export async function closeSharedDemo(): Promise<void> {
  const demo = await shared;
  shared = undefined;
  await demo?.close();
}

const ACCOUNTS = `auth:
  local:
    keyFile: data/local-issuer.pem
    users: [{ username: ada, passwordHash: '${cheapHash('correct horse')}', roles: [admin] }]
    clients: [{ clientId: backup, clientSecretHash: '${cheapHash('correct-horse')}', roles: [admin] }]`;

/** Posts a JSON body to the demo with a token of an admin. */
export function post(world: TestServer, path: string, body: object): Promise<Response> {
  return fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.issueToken('admin')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
