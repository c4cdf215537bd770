import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer, type Server } from '../../src/server/create-server.js';
import { callUrl } from '../support/call.js';
import { COMMAND } from '../support/gatehouse-command.js';
import { registerInput } from '../support/input-file.js';
import { callsTo } from '../support/server-calls.js';
import { VLAN } from '../support/tasks-api.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

const execute = promisify(execFile);

/** Runs the shipped command in a process of its own. Rejects if the command fails. */
async function gatehouse(...args: readonly string[]): Promise<string> {
  return (await execute(process.execPath, [COMMAND, ...args])).stdout;
}

/** Output of the restored server, which also has a log file. */
const logStream = new Writable({
  write(_chunk, _encoding, done) {
    done();
  },
});

/** Writes forms one after the other, until it is stopped. */
function startWriter({ call }: Pick<TestServer, 'call'>) {
  const acknowledged: string[] = [];
  const stop = new AbortController();
  const running = (async () => {
    // The pause leaves CPU time to the command.
    for (let number = 1; !stop.signal.aborted; number += 1) {
      await setTimeout(10);
      const name = `form ${number}`;
      const { status, text } = await call('POST /json-forms/forms', { body: { name } });
      assert.equal(status, 200, text);
      acknowledged.push(name);
    }
  })();
  return {
    acknowledged,
    async stop() {
      stop.abort();
      await running;
    },
  };
}

describe('a backup of a running server', () => {
  const folder = temporaryFolder().path;
  const archive = join(temporaryFolder().path, 'backup.tar');
  const target = join(temporaryFolder().path, 'restored');
  const configPath = join(target, 'gatehouse.yaml');
  let first: TestServer;
  let restored: Server | undefined;
  before(async () => {
    first = await startTestServer({
      folder,
      arrange(place) {
        const file = join(place, 'gatehouse.yaml');
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace('{ durability: store }', '{ file: data/audit.log }'),
        );
      },
    });
  });
  after(async () => {
    await restored?.close();
    await first.close();
  });

  it('is restored in an empty folder, where a server has the same adapters, rules, tasks, forms and keys', async () => {
    const { orchestrator } = first;
    const { ask } = callsTo(() => first);
    const settings = { baseUrl: orchestrator.url };
    await ask('POST /adapters', {
      properties: { name: 'edge1', model: 'http-rest', properties: { properties: settings } },
    });
    const rule = { roles: ['noc'], adapters: ['core1'], operations: ['orchestrator-manager.restQuery'] };
    await ask('PUT /access/rules/noc-core1', { properties: rule });
    await ask('PUT /limits/reports', { properties: { callerNames: ['reports'], requests: 1234 } });
    const task = await ask<{ id: string }>('POST /json-forms/task/RenderJsonSchema', { jsonSchema: VLAN });
    const writer = startWriter(first);
    await until(() => writer.acknowledged.length >= 20);
    const before = [...writer.acknowledged];
    const out = await gatehouse('backup', archive, '--config', first.configPath);
    const during = writer.acknowledged.length;
    await until(() => writer.acknowledged.length > during);
    await writer.stop();
    await first.running.close();
    registerInput(archive);

    const report = await gatehouse('restore', archive, '--config', configPath);
    registerInput(join(target, 'vault/secret_id'));
    assert.match(report, /restored; audit trail intact: \d+ records\n$/);
    for (const name of readdirSync(join(target, 'data')))
      assert.equal(statSync(join(target, 'data', name)).mode & 0o077, 0, name);
    restored = await createServer({ configPath, env: {}, clock: systemScheduler, logStream });
    const token = first.issueToken('admin');
    const get = async <T>(path: string): Promise<T> => {
      const { status, json, text } = await callUrl(`${restored?.url}${path}`, { method: 'GET', token });
      assert.equal(status, 200, text);
      return json as T;
    };
    const adapters = await get<{ results: readonly { name?: string; id?: string }[] }>('/adapters');
    assert.match(JSON.stringify(adapters), /core1/);
    assert.match(JSON.stringify(adapters), /edge1/);
    assert.equal((await get<{ id: string }>(`/json-forms/tasks/${task.id}`)).id, task.id);
    assert.deepEqual((await get<{ rule: unknown }>('/access/rules/noc-core1')).rule, rule);
    assert.match(JSON.stringify(await get('/limits/reports')), /1234/);
    const forms = JSON.stringify(await get('/json-forms/forms'));
    for (const name of before) assert.ok(forms.includes(`"${name}"`), name);
    for (const role of ['admin', 'noc']) {
      const call = await callUrl(`${restored.url}/orchestrator_manager/restQuery/core1`, {
        token: first.issueToken(role),
        body: {
          params: {
            path: '/restconf/data/ietf-interfaces:interfaces',
            accept: 'application/yang-data+json',
          },
        },
      });
      assert.equal(call.status, 200, call.text);
    }
    const [, last] = /last audit record: (\S+)/.exec(out) ?? [];
    const expected = last === undefined ? [] : ['--expect', last];
    assert.match(await gatehouse('audit', 'verify', ...expected, '--config', configPath), /^intact: /);
  });
});
