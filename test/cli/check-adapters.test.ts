import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type CommandResult, runCommand } from '../support/command-io.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { openedByTest } from '../support/opened.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('gatehouse check --probe --adapters', () => {
  let folder = '';
  const opened = openedByTest();
  let listener: Listener;
  let baseUrl = '';
  let requests: string[] = [];
  /** Requests that wait for others before they are answered. */
  let waiting: (() => void)[] = [];

  beforeEach(async () => {
    folder = temporaryFolder().path;
    requests = [];
    waiting = [];
    mkdirSync(join(folder, 'adapters'));
    const server = createServer(({ url = '', headers }, res) => {
      requests.push(`${url} ${headers.authorization ?? ''}`);
      const status = { '/refuse': 401, '/broken': 503, '/': 404, '/missing': 404, '/tls': 400 }[url] ?? 200;
      const answer = (): void => void res.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      if (url !== '/together') {
        answer();
        return;
      }
      waiting.push(answer);
      if (waiting.length === 5) for (const one of waiting) one();
    });
    listener = await opened(listenOnLoopback(server));
    baseUrl = `http://${listener.host}`;
  });

  function adapter(name: string, path: string | null, more = ''): void {
    const auth = 'auth: { type: basic, username: admin, password: "${PASSWORD}" }';
    const text = `plugin: http-rest\nbaseUrl: ${baseUrl}\nhealth: { path: ${path} }\n${auth}\n${more}`;
    writeFileSync(join(folder, 'adapters', `${name}.yaml`), text);
  }

  async function check(...options: readonly string[]): Promise<CommandResult> {
    const main = join(folder, 'gatehouse.yaml');
    writeFileSync(main, 'auth: { local: { enabled: false } }\n');
    const args = ['check', '--config', main, '--probe', '--adapters', ...options];
    const { code, out, err } = await runCommand(args, { env: { PASSWORD: 'correct-horse-9' } });
    return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') };
  }

  it('logs in and reads once, and prints one line for each adapter', async () => {
    adapter('nso1', '/restconf');
    adapter('nso2', '/restconf', 'stub: true\n');
    const { code, out } = await check();
    assert.equal(code, 0, out);
    assert.match(out, /^ {2}nso1 +http:\S+ +warning +.*http:\/\//m);
    assert.match(out, /^ {2}nso2 +http:\S+ +skipped +.*recordings/m);
    const basic = Buffer.from('admin:correct-horse-9').toString('base64');
    assert.deepEqual(requests, [`/restconf Basic ${basic}`]);
  });

  it('prints the remarks of all steps (bug: one of them, as if the orchestrator was not reached)', async () => {
    adapter('nso1', '/missing');
    adapter('nso2', null);
    const { code, err } = await check();
    assert.equal(code, 0);
    const ofRead = err.split('warning: ').filter((block) => block.includes('status 404'));
    assert.deepEqual(
      ofRead.map((block) => block.trimEnd()),
      [
        `adapters/nso1.yaml:3:17 /health/path: the test of the adapter has a remark: The orchestrator answered /missing with status 404. [adapter_remark]
    Check the health path, and the rights of the user.`,
        `adapters/nso2.yaml:3:17 /health/path: the test of the adapter has a remark: The orchestrator answered / with status 404. [adapter_remark]
    Set a health path, so that this test and the health probes read data.`,
      ],
    );
    assert.match(err, /nso1\.yaml:2:10 \/baseUrl: .*has a remark: .*http:\/\/.* \[adapter_remark\]/);
  });

  it('names the place of a refused login, and ends with 77', async () => {
    adapter('nso1', '/refuse');
    adapter('nso2', '/broken');
    const { code, out, err } = await check();
    assert.equal(code, 77);
    assert.match(out, /^adapters\/nso1\.yaml:4:7 \/auth: .*status 401\. \[adapter_denied\]/m);
    assert.match(out, /^adapters\/nso2\.yaml:2:10 \/baseUrl: .*status 503\. \[adapter_unreachable\]/m);
    assert.ok(!(out + err).includes('correct-horse-9'));
    const faults = JSON.parse((await check('--json')).out) as readonly { readonly code: string }[];
    assert.deepEqual(faults.map((fault) => fault.code).sort(), ['adapter_denied', 'adapter_unreachable']);
  });

  it('asks for credentials if the adapter has none (bug: it said that they were refused)', async () => {
    const text = `plugin: http-rest\nbaseUrl: ${baseUrl}\nhealth: { path: /refuse }\n`;
    writeFileSync(join(folder, 'adapters', 'nso1.yaml'), text);
    const { code, out } = await check();
    assert.equal(code, 77);
    assert.match(
      out,
      /^adapters\/nso1\.yaml:1:1 \/auth: .*asks for credentials, and the adapter has none: .*401\. \[adapter_denied\]\n +Add "auth" to the adapter/m,
    );
  });

  it('names the setting of a proxy that does not answer, and http for a port with TLS', async () => {
    adapter('nso1', '/tls');
    adapter('nso2', '/restconf', 'proxy: http://127.0.0.1:9\n');
    const { out, err } = await check();
    assert.match(
      out,
      /^adapters\/nso2\.yaml:5:8 \/proxy: .*The proxy refuses .*\n +Correct the setting "proxy", or start the proxy\.$/m,
    );
    assert.match(
      err,
      /status 400, as servers do that expect TLS on this port\. .*\n +Write https:\/\/ in baseUrl/,
    );
  });

  it('ends with 75 if an orchestrator cannot be reached', async () => {
    adapter('nso1', '/restconf');
    await listener.close();
    const { code, out } = await check();
    assert.equal(code, 75);
    assert.match(out, /nso1\.yaml:2:10 \/baseUrl: .*refuses connections/);
  });

  it('tries orchestrators side by side', async () => {
    for (let number = 1; number <= 5; number += 1) adapter(`nso${number}`, '/together');
    assert.equal((await check()).code, 0);
    assert.equal(waiting.length, 5);
  });

  it('does not try an adapter that has a fault already, and needs --probe', async () => {
    adapter('nso1', '/restconf', 'retries: 1\n');
    assert.equal((await check()).code, 78);
    assert.deepEqual(requests, []);
    assert.equal((await runCommand(['check', '--adapters'])).code, 64);
  });
});
