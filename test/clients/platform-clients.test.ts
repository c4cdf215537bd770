import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/lib/version.js';
import { ROOT } from '../docs/markdown.js';
import { apiToolNeed } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertResults, type ClientServer, startClientServer } from './client-server.js';
import { runProgram } from './run-program.js';
import { apiTool } from './tools.js';

/** Results of the calls of `programs/python/platform_clients.py`, in this order. */
const PYTHON_CALLS: readonly (readonly [call: string, result: unknown])[] = [
  ['ipsdk whoami', 'ada'],
  ['ipsdk getAdapters', ['core1']],
  ['ipsdk getAdaptersHealth', [1, 'RUNNING']],
  ['ipsdk restQuery', ['ietf-interfaces:interfaces']],
  ['ipsdk createForm', ['success', 'Port']],
  ['ipsdk createProfile', 'edge'],
  ['ipsdk getAdapter of a missing adapter', 404],
  ['ipsdk with OAuth', VERSION],
  ['ipsdk, 20 at once', true],
  ['MCP tools', ['getAdapterHealth', 'getAdapters', 'getAdaptersHealth', 'restQuery']],
  ['MCP restQuery', [false, ['ietf-interfaces:interfaces']]],
  ['MCP restQuery of a missing adapter', [true, 'adapter_not_found']],
];

describeWith(
  apiToolNeed('Python clients of the platform'),
  'the Python clients of the platform',
  function () {
    this.timeout(120_000);
    let started: ClientServer;
    before(async () => {
      started = await startClientServer();
    });
    after(() => started.server.close());

    it('ipsdk and the Python SDK of MCP: each call returns what it promises', async () => {
      const { env, folder } = started;
      const program = join(ROOT, 'test/clients/programs/python/platform_clients.py');
      const python = apiTool('Python clients of the platform');
      await assertResults([python, program], { cwd: folder, env }, PYTHON_CALLS);
    });

    it('itential-mcp: its tools for adapters, applications and health return results', async () => {
      const { env, folder, password, server } = started;
      const { hostname, port } = new URL(server.url);
      const place = ['--platform-host', hostname, '--platform-port', port, '--platform-disable-tls'];
      const call = async (tool: string, params?: object): Promise<string> => {
        const more = params ? ['--params', JSON.stringify(params)] : [];
        const user = ['--platform-user', 'ada', '--platform-password', password];
        const { status, out, errors } = await runProgram(
          [apiTool('itential-mcp'), 'call', tool, ...place, ...user, ...more],
          { cwd: folder, env },
        );
        assert.equal(status, 0, `${tool}\n${out}${errors}`);
        return out;
      };
      assert.match(await call('get_health'), /"?apps"?: *"?running/);
      assert.match(await call('get_adapters'), /core1/);
      assert.match(await call('get_applications'), /JsonForms/);
      assert.match(await call('stop_adapter', { name: 'core1', timeout: 10 }), /STOPPED/);
      assert.match(await call('start_adapter', { name: 'core1', timeout: 10 }), /RUNNING/);
      assert.match(await call('restart_adapter', { name: 'core1', timeout: 10 }), /RUNNING/);
    });
  },
);

describeWith(apiToolNeed('ipctl'), 'ipctl', function () {
  this.timeout(120_000);
  let started: ClientServer;
  let files = '';
  before(async () => {
    started = await startClientServer();
    files = join(started.folder, 'files');
    mkdirSync(files);
    const { hostname, port } = new URL(started.server.url);
    const members = `host = ${hostname}\nport = ${port}\nuse_tls = false\nusername = ada\ntimeout = 60\n`;
    writeFileSync(
      join(started.folder, 'ipctl.ini'),
      `[application]\ndefault_profile = test\n[profile test]\n${members}`,
    );
  });
  after(() => started.server.close());

  const run = async (...args: readonly string[]): Promise<string> => {
    const { env, folder, password } = started;
    const command = [apiTool('ipctl'), '--config', join(folder, 'ipctl.ini'), ...args] as const;
    const { status, out, errors } = await runProgram(command, {
      cwd: files,
      env: { ...env, IPCTL_PROFILE_TEST_PASSWORD: password, IPCTL_TERMINAL_PAGER: 'false' },
    });
    assert.equal(status, 0, `${args.join(' ')}\n${out}${errors}`);
    return out + errors;
  };

  it('creates, shows, exports, deletes and imports an adapter', async () => {
    await run('create', 'adapter', 'nso2', '--model', 'restconf');
    assert.match(await run('get', 'adapters'), /core1[^]*nso2/);
    assert.match(await run('describe', 'adapter', 'nso2'), /nso2/);
    await run('export', 'adapter', 'nso2');
    await run('delete', 'adapter', 'nso2');
    assert.doesNotMatch(await run('get', 'adapters'), /nso2/);
    await run('import', 'adapter', join(files, 'nso2.adapter.json'));
    assert.match(await run('get', 'adapters'), /nso2/);
  });

  it('creates, shows, exports, clears and imports a form', async () => {
    await run('create', 'jsonform', 'New VLAN');
    assert.match(await run('get', 'jsonforms'), /New VLAN/);
    await run('export', 'jsonform', 'New VLAN');
    await run('delete', 'jsonform', 'New VLAN');
    assert.doesNotMatch(await run('get', 'jsonforms'), /New VLAN/);
    await run('import', 'jsonform', join(files, 'New VLAN.jsonform.json'));
    assert.match(await run('get', 'jsonforms'), /New VLAN/);
  });

  it('creates, shows and deletes a profile', async () => {
    await run('create', 'profile', 'edge');
    assert.match(await run('get', 'profiles'), /edge/);
    await run('delete', 'profile', 'edge');
    assert.doesNotMatch(await run('get', 'profiles'), /edge/);
  });

  it('stops, starts and restarts an adapter, and calls the API', async () => {
    for (const action of ['stop', 'start', 'restart']) await run(action, 'adapter', 'core1');
    assert.match(await run('api', 'get', '/health/adapters/core1'), /"RUNNING"/);
  });
});
