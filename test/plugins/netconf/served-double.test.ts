import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../../support/call.js';
import { createNetconfDouble } from '../../support/netconf-double.js';
import { openedBySuite } from '../../support/opened.js';
import { startTestServer } from '../../support/test-server.js';
import { CAPABILITIES, dataWith, DEVICE, SCHEMAS } from './double-adapter.js';

const WARNING =
  '<rpc-error><error-severity>warning</error-severity><error-message>requires a license</error-message></rpc-error>';

describe('a NETCONF device that warns and has nodes without a schema, behind gatehouse', () => {
  let gatehouse: Awaited<ReturnType<typeof startTestServer>>;
  const opened = openedBySuite();
  before(async () => {
    const double = await opened(
      createNetconfDouble({
        capabilities: CAPABILITIES,
        schemas: SCHEMAS,
        onOperation: ({ name }) => {
          if (name.startsWith('get')) return dataWith('<hostname>r1</hostname><vendor>1</vendor>');
          return name === 'commit' ? `${WARNING}<ok/>` : '<ok/>';
        },
      }),
    );
    gatehouse = await opened(
      startTestServer({
        arrange(folder, vault) {
          rmSync(join(folder, 'adapters', 'core1.yaml'));
          vault.putSecret({ path: 'adapters/router1' }, { password: 'a-password' });
          writeFileSync(join(folder, 'adapters', 'router1.yaml'), adapterFile(double));
        },
      }),
    );
  });

  const call = (operation: string, params: object, body?: object) =>
    callUrl(`${gatehouse.url}/orchestrator_manager/${operation}/router1`, {
      token: gatehouse.issueToken('admin'),
      body: { params: { accept: 'application/json', path: DEVICE, ...params }, ...(body && { body }) },
    });
  const PATHS = '"/test-device:device/vendor"';

  it('names the nodes in a header of the reply to a query', async () => {
    const reply = await call('restQuery', {});
    assert.deepEqual(reply.json, { 'test-device:device': { hostname: 'r1' } }, reply.text);
    assert.equal(reply.headers['x-gatehouse-unknown-nodes'], PATHS);
  });

  it('names them in the headers of a reply with responseBody', async () => {
    const reply = await call('restAction', { method: 'GET', responseBody: true }, {});
    const [{ headers }] = reply.json as readonly [{ readonly headers: Readonly<Record<string, string>> }];
    assert.equal(headers['x-gatehouse-unknown-nodes'], PATHS, reply.text);
  });

  it('refuses a body of very many values, of which the process would write the XML at once', async () => {
    const body = { 'test-device:device': { servers: Array<string>(50_001).fill('a') } };
    const reply = await call('restAction', { method: 'PATCH', responseBody: true }, body);
    assert.match(reply.text, /"result":"413"/);
    assert.match(reply.text, /more than 50000 members and items; send it in parts/);
  });

  it('shows the warnings of a change with responseBody', async () => {
    const body = { 'test-device:device': { offset: 1 } };
    const reply = await call('restAction', { method: 'PATCH', responseBody: true }, body);
    const [{ result, body: shown }] = reply.json as readonly [
      { readonly result: string; readonly body: unknown },
    ];
    assert.deepEqual([result, shown], ['204', { warnings: ['requires a license'] }], reply.text);
  });
});

function adapterFile({ port, fingerprint }: { readonly port: number; readonly fingerprint: string }): string {
  return [
    'plugin: netconf',
    'baseUrl: https://127.0.0.1',
    'options:',
    '  host: 127.0.0.1',
    `  port: ${port}`,
    '  ssh:',
    '    username: gatehouse',
    '    password: $VAULT_adapters/router1#password',
    `    hostKeys: ['${fingerprint}']`,
    '',
  ].join('\n');
}
