import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { COMMAND } from '../support/gatehouse-command.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { until } from '../support/until.js';

/** Common members of both plugins. They take the class Problem and the worker thread from their modules. */
const PLUGIN = `
  apiVersion: 1,
  summary: 'Reads the values of an envelope.',
  options: {
    type: 'object', additionalProperties: false, required: ['key'],
    properties: { key: { type: 'string', 'x-secret': true } },
  },
  create: ({ key }, context) => ({
    async start(signal) {
      if (!(key instanceof Secret)) throw new Error('the key is not a Secret');
      const { status } = await context.send({ method: 'GET', path: '/health', headers: {} }, signal);
      if (status === 401) throw new Problem('upstream_auth', 'Acme answers 401; is the key right?');
      if (await typeInThread() !== 'function') throw new Error('the thread did not find gatehouse');
    },
    translate: ({ method, path, accept }) => [{ method, path, headers: { accept } }],
    shape(_call, reply) {
      const parsed = parseJson(reply.body);
      return ('value' in parsed ? parsed.value.data : undefined) ?? null;
    },
  }),
};
`;

const THREAD = `
function typeInThread() {
  return new Promise((resolve, reject) => {
    const thread = new Worker(THREAD_FILE, { execArgv: workerExecArgv() });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}
`;

/** The files of a plugin; its modules begin with these imports. */
const filesOf = (name: string, entry: object, [index, thread]: readonly [index: string, thread: string]) => ({
  'package.json': JSON.stringify({ name, version: '1.2.0', keywords: ['gatehouse-plugin'], ...entry }),
  'index.js': `${index} { type: '${name.replace('@acme/', '')}', ${PLUGIN}\n${THREAD}`,
  'thread.js': `${thread}(typeof Problem);`,
  'CHANGELOG.md': `# Changelog of ${name}\n\n## 1.2.0 [03-27-2024]\n\n* Fixes the key.\n\n---\n`,
});

/** An ECMAScript plugin that imports the name of the package. */
const MODULE_PLUGIN = filesOf('@acme/module-nms', { type: 'module', exports: { import: './index.js' } }, [
  `import { Worker } from 'node:worker_threads';
import { parseJson, Problem, Secret, workerExecArgv } from 'gatehouse-proxy/plugin';
const THREAD_FILE = new URL('./thread.js', import.meta.url);
export const plugin =`,
  `import { parentPort } from 'node:worker_threads';
import { Problem } from 'gatehouse-proxy/plugin';
parentPort.postMessage`,
]);

/** A CommonJS plugin that imports the former name of the package. */
const COMMONJS_PLUGIN = filesOf('common-nms', { main: 'index.js' }, [
  `const { Worker } = require('node:worker_threads');
const { parseJson, Problem, Secret, workerExecArgv } = require('gatehouse/plugin');
const THREAD_FILE = __dirname + '/thread.js';
exports.plugin =`,
  `const { Problem } = require('gatehouse/plugin');
require('node:worker_threads').parentPort.postMessage`,
]);

function npm(folder: string, ...words: readonly string[]): string {
  const options = [...words, '--offline', '--no-audit', '--no-fund'];
  const { status, stdout, stderr } = spawnSync('npm', options, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

/** Packs a plugin with npm in a separate folder. Returns the path of the package file. */
function pack(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder().path;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return join(folder, npm(folder, 'pack', '--silent'));
}

/** Starts an orchestrator that accepts one key. */
function startOrchestrator(): Promise<Listener> {
  const server = createServer(({ headers }, response) => {
    const isAllowed = headers['x-key'] === 'right-key';
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' });
    response.end('{"data":["value"]}');
  });
  return listenOnLoopback(server);
}

const QUERY = { params: { path: '/a', accept: '*/*' } };
const TYPES = ['@acme/module-nms', 'common-nms'];

/** Installs both packed plugins in a folder, and returns the folder. */
function installPacked(): string {
  const folder = temporaryFolder().path;
  npm(folder, 'install', '--silent', '--ignore-scripts', pack(MODULE_PLUGIN), pack(COMMONJS_PLUGIN));
  return folder;
}

/** Writes a configuration with an adapter of each plugin next to a copy of the installed plugins. */
function configure({ installed, host, key }: { installed: string; host: string; key: string }): string {
  const folder = temporaryFolder().path;
  cpSync(installed, folder, { recursive: true });
  mkdirSync(join(folder, 'adapters'));
  for (const [at, type] of TYPES.entries())
    writeFileSync(
      join(folder, 'adapters', `core${at}.yaml`),
      `plugin: '${type}'
baseUrl: http://${host}
auth: { type: header, name: x-key, value: ${key} }
options: { key: an-unused-key }
`,
    );
  writeFileSync(
    join(folder, 'gatehouse.yaml'),
    `server: { listen: "127.0.0.1:0", workers: 1 }
log: { file: gatehouse.log }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
`,
  );
  return folder;
}

function start(folder: string, command: string): ChildProcess {
  const words = [COMMAND, command, '--config', join(folder, 'gatehouse.yaml')];
  return spawn(process.execPath, words, { cwd: temporaryFolder().path, env: {}, stdio: 'ignore' });
}

async function urlOf(folder: string): Promise<string> {
  const file = join(folder, 'gatehouse.log');
  const find = (): string | undefined =>
    existsSync(file) ? /serves (http:[^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  await until(() => find() !== undefined);
  return find() ?? '';
}

describe('a packed plugin in a folder without gatehouse', function () {
  this.timeout(120_000);
  let orchestrator: Listener;
  let server: ChildProcess | undefined;
  let installed = '';

  before(async () => {
    orchestrator = await startOrchestrator();
    installed = installPacked();
  });

  after(async () => {
    await stop();
    await orchestrator.close();
  });

  async function stop(): Promise<void> {
    if (server?.exitCode !== null) return;
    server.kill();
    await once(server, 'exit');
  }

  /** Starts a server. Returns a function that sends a request to it. */
  async function serve(folder: string) {
    server = start(folder, 'serve');
    const url = await urlOf(folder);
    const issueToken = await openTokenSigner(join(folder, 'data/local-issuer.pem'));
    const token = issueToken({ subject: 'ada', roles: ['admin'] });
    return async (method: string, path: string, body?: object): Promise<unknown> =>
      (await callUrl(`${url}${path}`, { method, token, body })).json;
  }

  it('passes the check (bug: no package "gatehouse" was found)', async () => {
    const folder = configure({ installed, host: orchestrator.host, key: 'right-key' });
    const modules = readdirSync(join(folder, 'node_modules'));
    assert.ok(!modules.some((name) => name.startsWith('gatehouse')));
    const [code] = (await once(start(folder, 'check'), 'exit')) as [number];
    assert.equal(code, 0);
  });

  describe('served', () => {
    let folder = '';
    let request: Awaited<ReturnType<typeof serve>>;

    before(async () => {
      folder = configure({ installed, host: orchestrator.host, key: 'right-key' });
      request = await serve(folder);
    });
    after(stop);

    it('answers calls, as ECMAScript module and as CommonJS, with a worker thread of its own', async () => {
      for (const at of TYPES.keys())
        assert.deepEqual(await request('POST', `/orchestrator_manager/restQuery/core${at}`, QUERY), [
          'value',
        ]);
    });

    it('returns its changelog (bug: the list was empty)', async () => {
      for (const at of TYPES.keys())
        assert.deepEqual(await request('GET', `/adapters/core${at}/changelogs`), {
          results: [{ version: '1.2.0', date: '2024-03-27', changes: ['Fixes the key.'] }],
          total: 1,
        });
    });
  });

  it('reports a Problem in its own words (bug: "its start failed")', async () => {
    const request = await serve(configure({ installed, host: orchestrator.host, key: 'wrong-key' }));
    for (const at of TYPES.keys()) {
      const reply = await request('POST', `/orchestrator_manager/restQuery/core${at}`, QUERY);
      assert.match(JSON.stringify(reply), /Acme answers 401; is the key right\?/);
    }
    await stop();
  });
});
