import assert from 'node:assert/strict';
import { openedBySuite } from '../../support/opened.js';
import { dataWith, DEVICE, doublesOfSuite, warning } from './double-adapter.js';
import { serveDevice } from './served-device.js';

describe('a NETCONF device that warns and has nodes without a schema, behind gatehouse', () => {
  let served: Awaited<ReturnType<typeof serveDevice>>;
  const opened = openedBySuite();
  const { openDouble } = doublesOfSuite();
  before(async () => {
    const double = await openDouble({
      onOperation: ({ name }) => {
        if (name.startsWith('get')) return dataWith('<hostname>r1</hostname><vendor>1</vendor>');
        return name === 'commit' ? `${warning('requires a license')}<ok/>` : '<ok/>';
      },
    });
    served = await opened(serveDevice({ ...double, credential: ['password', 'a-password'] }));
  });

  const call = (operation: 'restQuery' | 'restAction', params: object, body?: object) =>
    served.call(operation, { path: DEVICE, ...params }, body);
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
