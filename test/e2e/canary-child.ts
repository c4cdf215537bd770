import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { callUrl } from '../support/call.js';
import { runCommand } from '../support/command-io.js';
import { writeLeakyPlugins } from '../support/leaky-plugin.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import type { VaultDouble } from '../support/vault-double.js';

// Runs in a separate process, because DEBUG is read when packages are loaded, and because the test needs
// every byte of the output. Arguments: its folder, a file for the secrets that it used. Prints every reply;
// receives the secrets in CANARIES.
const [folder = '', secretsFile = ''] = process.argv.slice(2);
const [first = '', rotated = '', cipher = ''] = JSON.parse(process.env['CANARIES'] ?? '[]') as string[];
const work = join(folder, 'work');
const plugins = join(folder, 'plugins');

/** Handles requests as an orchestrator that repeats the received credentials in every reply. */
function echo({ url, headers: { authorization = '' } }: IncomingMessage, response: ServerResponse): void {
  if (url === '/reset') {
    response.destroy();
    return;
  }
  const decoded = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
  const text = JSON.stringify({ authorization, decoded, twice: JSON.stringify({ decoded }) });
  response.writeHead(url === '/unauthorized' ? 401 : url === '/broken' ? 500 : 400, {
    'content-type': url === '/text' ? 'text/plain' : 'application/json',
  });
  response.end(url === '/text' ? decoded : text);
}

const orchestrator = await listenOnLoopback(createServer(echo));
const echoUrl = `http://${orchestrator.host}`;

const leaky = (fail: string): string => `plugin: leaky
baseUrl: ${echoUrl}
auth: { type: basic, username: u, password: $VAULT_adapters/leaky#password }
options: { password: $VAULT_adapters/leaky#password, fail: "${fail}" }
`;

function arrange(at: string, vault: VaultDouble): void {
  cpSync(at, join(folder, 'plain'), { recursive: true });
  vault.putPolicy('gatehouse', { 'secret/data/adapters/*': ['read'], 'secret/subkeys/adapters/*': ['read'] });
  vault.putSecret({ path: 'adapters/leaky' }, { password: first });
  for (const fail of ['create', 'start', 'never'])
    writeFileSync(join(at, 'adapters', `${fail}.yaml`), leaky(fail));
  const main = join(at, 'gatehouse.yaml');
  writeFileSync(main, readFileSync(main, 'utf8').replace(/log: \{ (level: spam, )?/, 'log: { level: spam, '));
}

const print = (title: string, ...said: readonly unknown[]): void => {
  process.stdout.write(
    `# ${title}\n${said.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')}\n`,
  );
};

async function ask(testServer: TestServer, adapter: string, path: string): Promise<void> {
  const url = `${testServer.url}/orchestrator_manager/restQuery/${adapter}`;
  const body = { params: { path, accept: 'application/json' } };
  const { status, headers, text } = await callUrl(url, { token: testServer.issueToken('admin'), body });
  print(`${status} ${adapter} ${path}`, headers, text);
}

async function askAll(testServer: TestServer): Promise<void> {
  for (const path of ['/restconf/data/ietf-interfaces:interfaces', '/restconf/data/nothing', '/../x'])
    await ask(testServer, 'core1', path);
  for (const path of ['/error', '/problem', '/echo', '/text', '/unauthorized', '/broken', '/reset'])
    await ask(testServer, 'never', path);
  for (const adapter of ['create', 'start']) await ask(testServer, adapter, '/any');
  for (const path of ['/health/status', '/readyz']) {
    const { status, headers, text } = await callUrl(`${testServer.url}${path}`, { method: 'GET' });
    print(`${status} ${path}`, headers, text);
  }
}

/** Reports the internals that a debugger, a crash or a diagnostic report would show. */
function lookInside({ running }: TestServer): void {
  print('inspect', inspect(running, { depth: 20, showHidden: true, getters: true }), running);
  const error = new Error(`login as u:${first} failed`, { cause: { password: rotated } });
  running.logUncaught(Object.assign(error, { request: { headers: { authorization: `Bearer ${rotated}` } } }));
}

async function command(...args: readonly string[]): Promise<void> {
  const { code, out, err } = await runCommand([...args, '--config', join(folder, 'plain', 'gatehouse.yaml')]);
  print(`exit ${code} of ${args.join(' ')}`, out, err);
}

writeLeakyPlugins(plugins);
const testServer = await startTestServer({ folder: work, password: first, pluginFolder: plugins, arrange });
await askAll(testServer);
testServer.vault.putSecret({ path: 'adapters/leaky' }, { password: rotated });
print('reload', await testServer.running.reload());
await askAll(testServer);
writeFileSync(
  join(work, 'adapters', 'bad.yaml'),
  `plugin: restconf\nbaseUrl: [${JSON.stringify(first)}]\nauth: { type: basic, username: u, password: $ENC${cipher} }\n`,
);
print('refused reload', await testServer.running.reload());
lookInside(testServer);
for (const args of [
  ['check', '--json'],
  ['check', '--probe', '--json'],
  ['secrets', 'check', '--show-fields'],
])
  await command(...args);
cpSync(join(work, 'adapters', 'bad.yaml'), join(folder, 'plain', 'adapters', 'bad.yaml'));
for (const args of [
  ['check', '--json'],
  ['secrets', 'check'],
  ['secrets', 'migrate', '--from-literals'],
])
  await command(...args);
print('openapi', (await runCommand(['openapi'])).out);
const roleFiles = ['role_id', 'secret_id'].map((name) => readFileSync(join(work, 'vault', name), 'utf8'));
const tokens = testServer.vault.log.flatMap(({ headers }) => headers['x-vault-token'] ?? []);
writeFileSync(
  secretsFile,
  JSON.stringify([...new Set([...tokens, roleFiles[1], testServer.issueToken('admin').split('.')[2]])]),
);
print('log', ...testServer.logLines);
await testServer.close();
await orchestrator.close();
// Removes input files: only output must be free of secrets.
for (const name of ['adapters', 'vault']) rmSync(join(work, name), { recursive: true });
for (const name of ['plain', 'plugins']) rmSync(join(folder, name), { recursive: true });
