import assert from 'node:assert/strict';
import { plugin } from '../../../plugins/restconf/index.js';
import type { RestCall } from '../../../src/core/adapter.js';
import { problem } from '../../support/failing.js';
import { createRestconfDouble, type RestconfDouble } from '../../support/restconf-double.js';
import { answering, contextFor, sendAll, sendTo } from '../send.js';

const ETH0 = '/restconf/data/ietf-interfaces:interfaces/interface=eth0';
const accept = 'application/yang-data+json';
const query = (path: string): RestCall => ({ kind: 'query', method: 'GET', path, accept });
const { signal } = new AbortController();

describe('the restconf plugin with a real server', () => {
  let double: RestconfDouble;
  const adapterFor = async (options: { root?: string }) => {
    const send = sendTo({ ...double, login: 'admin:admin' });
    const adapter = plugin.create(options, contextFor(send).context);
    await adapter.start?.(signal);
    return { adapter, run: (call: RestCall) => sendAll(send, adapter.translate(call)) };
  };

  before(async () => {
    double = await createRestconfDouble({ username: 'admin', password: 'admin', root: '/api/rests' });
  });
  after(() => double.close());

  it('discovers the root and moves conventional paths to it', async () => {
    const { run } = await adapterFor({});
    const reply = await run(query(`${ETH0}/enabled`));
    assert.equal(reply.status, 200);
    assert.deepEqual(JSON.parse(reply.body.toString()), { 'ietf-interfaces:enabled': true });
  });

  it('sends no request at start if the root is configured', async () => {
    const before = double.requests.length;
    const { run } = await adapterFor({ root: '/api/rests' });
    assert.equal(double.requests.length, before);
    assert.equal((await run(query('/data/ietf-interfaces:interfaces?depth=1'))).status, 200);
  });

  it('explains an error of the server', async () => {
    const { adapter, run } = await adapterFor({});
    const body = Buffer.from('{"ietf-interfaces:interface":[{"name":"eth0","type":"iana-if-type:other"}]}');
    const path = '/restconf/data/ietf-interfaces:interfaces';
    const reply = await run({ kind: 'action', method: 'POST', path, accept, body });
    assert.equal(reply.status, 409);
    const pointer = "/ietf-interfaces:interfaces/interface[name='eth0']";
    const errors = [{ pointer, message: 'data-exists: object already exists' }];
    assert.deepEqual(adapter.explain?.(reply), { detail: 'object already exists', errors });
  });
});

describe('the restconf plugin without a server', () => {
  const create = (root?: string) =>
    plugin.create(root === undefined ? {} : { root }, contextFor(answering(404)).context);

  it('does not start while no root answers', async () => {
    await assert.rejects(
      async () => create().start?.(signal),
      problem('upstream_failed', /no RESTCONF root/),
    );
  });

  it('treats the root "/" as the base URL', () => {
    assert.equal(create('/').translate(query('/restconf/data'))[0].path, '/data');
  });

  it('keeps media types of the caller, and sends no content-type without a body', () => {
    const types = { accept: 'application/json, */*;q=0.1', contentType: 'text/plain' };
    const [{ headers }] = create().translate({ ...query('/x'), ...types });
    assert.deepEqual(headers, { accept: 'application/json, */*;q=0.1' });
  });
});
