import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { callUrl } from '../support/call.js';
import { COMMAND } from '../support/gatehouse-command.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { until } from '../support/until.js';

/** More changes than a run of all tests has time for: GATEHOUSE_RELOADS=20. */
const CHANGES = Number(process.env['GATEHOUSE_RELOADS'] ?? 2);
const CALLERS = 6;
/** Pause of a caller between two calls, in milliseconds: the server needs the CPU time to load the code. */
const PAUSE_MS = 25;

const ADAPTER = `type: 'acme', apiVersion: 1, summary: 'Of a test.', options: { type: 'object' },
  create: () => ({
    translate: ({ path }) => [{ method: 'GET', path, headers: {} }],
    shape: () => answer,
  }),`;

/** The modules of a plugin, whose answer is in a module that a module of its folder imports. */
const modulesOf = (answer: string): Readonly<Record<string, string>> => ({
  'package.json': `{ "name": "acme", "version": "1.0.0", "type": "module", "exports": "./index.js", "keywords": ["gatehouse-plugin"] }`,
  'index.js': `import { answer } from './lib/answer.js';\nexport const plugin = { ${ADAPTER} };`,
  'lib/answer.js': `export { answer } from './words.js';`,
  'lib/words.js': `export const answer = '${answer}';`,
});

const commonJsOf = (answer: string): Readonly<Record<string, string>> => ({
  'package.json': `{ "name": "acme", "version": "1.0.0", "main": "index.js", "keywords": ["gatehouse-plugin"] }`,
  'index.js': `module.exports = require('./lib/plugin.js');`,
  'lib/plugin.js': `const { answer } = require('./words.js');\nexports.plugin = { ${ADAPTER} };`,
  'lib/words.js': `exports.answer = '${answer}';`,
});

/** Writes files as an editor does: each under another name first. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.tmp`, text);
    renameSync(`${file}.tmp`, file);
  }
}

interface Site {
  readonly folder: string;
  /** Folder of the plugin. */
  readonly plugin: string;
  /** Sends a query through the plugin. Returns its answer, or the status of a failure. */
  readonly ask: () => Promise<unknown>;
  readonly healthOf: (adapter: string) => Promise<{ readonly state: string; readonly outdated?: string }>;
  /** Changes a module of the plugin, and waits for the answer of the new code. */
  readonly change: (answer: string) => Promise<void>;
  stop(): Promise<void>;
}

describe('a plugin whose code changes while the server runs', function () {
  this.timeout(60_000 + CHANGES * 10_000);
  let orchestrator: Listener;
  let site: Site;

  before(async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{}');
    });
    orchestrator = await listenOnLoopback(server);
  });
  after(() => orchestrator.close());
  afterEach(() => site.stop());

  async function start(settings = '', files = modulesOf('first')): Promise<Site> {
    const folder = temporaryFolder().path;
    const plugin = join(folder, 'node_modules/acme');
    write(plugin, files);
    write(folder, {
      'adapters/core1.yaml': `plugin: acme\nbaseUrl: http://${orchestrator.host}\n`,
      'gatehouse.yaml': `server: { listen: "127.0.0.1:0"${settings} }
log: { file: data/gatehouse.log }
storage: { url: "sqlite:data/gatehouse.db" }
audit: { file: data/audit.log }
auth: { local: { keyFile: data/local-issuer.pem } }
`,
    });
    const words = [COMMAND, 'serve', '--config', join(folder, 'gatehouse.yaml')];
    const child = spawn(process.execPath, words, { env: {}, stdio: 'ignore' });
    const url = await urlOf(join(folder, 'data/gatehouse.log'));
    const issueToken = await openTokenSigner(join(folder, 'data/local-issuer.pem'));
    const token = issueToken({ subject: 'ada', roles: ['admin'] });
    const body = { params: { path: '/a', accept: '*/*' } };
    const ask = async (): Promise<unknown> => {
      // Each connection goes to another worker.
      const headers = { connection: 'close' };
      const { status, json } = await callUrl(`${url}/orchestrator_manager/restQuery/core1`, {
        ...{ token, body, headers },
      });
      return status === 200 ? json : status;
    };
    return {
      folder,
      plugin,
      ask,
      async healthOf(adapter) {
        const { json } = await callUrl(`${url}/health/adapters/${adapter}`, { method: 'GET', token });
        return json as Awaited<ReturnType<Site['healthOf']>>;
      },
      async change(answer) {
        write(plugin, { 'lib/words.js': files['lib/words.js']?.replace('first', answer) ?? '' });
        await answeredBy(ask, answer);
      },
      stop: () => stop(child),
    };
  }

  it('answers with the new code, and loses no call', async () => {
    site = await start(', workers: 2');
    const { ask, change } = site;
    const answers = new Set<unknown>();
    let busy = true;
    const call = async (): Promise<void> => {
      while (busy) {
        answers.add(await ask());
        await setTimeout(PAUSE_MS);
      }
    };
    const callers = Array.from({ length: CALLERS }, call);
    const changes = Array.from({ length: CHANGES }, (_, at) => `change ${at}`);
    for (const one of changes) await change(one);
    busy = false;
    await Promise.all(callers);
    assert.deepEqual([...answers].sort(), ['first', ...changes].sort());
  });

  it('is loaded again as CommonJS, also what its modules re-export', async () => {
    site = await start('', commonJsOf('first'));
    for (const answer of ['second', 'third']) await site.change(answer);
  });

  it('keeps its running code while the new one is broken, and says so', async () => {
    site = await start();
    const { plugin, ask, healthOf, change } = site;
    write(plugin, { 'lib/words.js': 'export const answer = ;' });
    await until(async () => (await healthOf('core1')).outdated !== undefined);
    const { state, outdated } = await healthOf('core1');
    assert.equal(state, 'RUNNING');
    assert.match(outdated ?? '', /its plugin "acme" cannot be used: SyntaxError: Unexpected token ';'/);
    assert.equal(await ask(), 'first');
    await change('repaired');
    assert.equal((await healthOf('core1')).outdated, undefined);
  });

  it('keeps its code with reloadPlugins: false', async () => {
    site = await start(', reloadPlugins: false');
    const { folder, plugin, ask } = site;
    write(plugin, modulesOf('second'));
    // Another change is applied: the reload has seen the plugin.
    const lines = `plugin: acme\nbaseUrl: http://${orchestrator.host}\ntimeouts: { totalMs: 9000 }\n`;
    write(folder, { 'adapters/core1.yaml': lines });
    await until(() => readFileSync(join(folder, 'data/gatehouse.log'), 'utf8').includes('"generation":2'));
    assert.equal(await ask(), 'first');
  });
});

/** Waits until calls of all workers have the answer. */
async function answeredBy(ask: Site['ask'], answer: string): Promise<void> {
  await until(async () => (await Promise.all([ask(), ask(), ask()])).every((one) => one === answer));
}

async function urlOf(log: string): Promise<string> {
  const find = (): string | undefined =>
    existsSync(log) ? /serves (http:[^"]+)"/.exec(readFileSync(log, 'utf8'))?.[1] : undefined;
  await until(() => find() !== undefined);
  return find() ?? '';
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
