import assert from 'node:assert/strict';
import { openEventStream } from '../../support/event-stream.js';
import { NETCONFD } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';
import { openedBySuite } from '../../support/opened.js';
import { startDevice } from './adapter.js';
import { DEVICE } from './double-adapter.js';
import { serveDevice } from './served-device.js';

describeWith(NETCONFD, 'a NETCONF device behind gatehouse', () => {
  let served: Awaited<ReturnType<typeof serveDevice>>;
  const opened = openedBySuite();
  before(async () => {
    const device = await opened(startDevice());
    const credential = ['privateKey', device.privateKey.reveal()] as const;
    served = await opened(serveDevice({ ...device, credential }));
  });

  const call = (...terms: Parameters<typeof served.call>) => served.call(...terms);
  const openStream = (path: string) => openEventStream(`${served.url}${path}`, served.token());

  it('is changed and read with the calls of RESTCONF', async () => {
    const content = { hostname: 'r1', counter: '9007199254740993', port: [{ slot: 1, name: 'xe/0' }] };
    const body = { 'test-device:device': content };
    const changed = await call('restAction', { path: DEVICE, method: 'PUT' }, body);
    assert.deepEqual([changed.status, changed.json], [200, [{ result: '201' }]], changed.text);
    const read = await call('restQuery', { path: DEVICE });
    assert.deepEqual([read.status, read.json], [200, body], read.text);
  });

  it('explains what it refuses', async () => {
    const params = { path: DEVICE, method: 'PATCH', responseBody: true };
    const reply = await call('restAction', params, { 'test-device:device': { service: {} } });
    assert.match(reply.text, /"result":"409"/);
    assert.match(reply.text, /required value instance not found/);
    assert.match(reply.text, /\/test-device:device\/service\/level/);
    const query = await call('restQuery', { path: `${DEVICE}/nothing` });
    const problem = JSON.parse(query.text) as Readonly<Record<string, unknown>>;
    assert.equal(problem['code'], 'upstream_rejected', query.text);
    assert.match(String(problem['detail']), /there is no node "nothing" in "test-device:device"/);
  });

  it('sends its notifications as server-sent events, and leaves no session behind', async () => {
    const sessions = async (): Promise<number> => {
      const path = '/restconf/data/ietf-netconf-monitoring:netconf-state/sessions';
      const { text } = await call('restQuery', { path });
      return [...text.matchAll(/"session-id"/g)].length;
    };
    const before = await sessions();
    const list = await call('restQuery', {
      path: '/restconf/data/ietf-restconf-monitoring:restconf-state/streams',
    });
    const [location = ''] = /\/proxy\/router1\/streams\/NETCONF/.exec(list.text) ?? [];
    assert.notEqual(location, '', list.text);
    const stream = await openStream(location);
    assert.deepEqual([stream.status, stream.contentType], [200, 'text/event-stream']);
    await call('restAction', { path: DEVICE, method: 'PATCH' }, { 'test-device:device': { offset: 7 } });
    const changed = JSON.stringify(await stream.nextData(/netconf-config-change/));
    assert.match(changed, /"eventTime":"\d{4}-/);
    assert.match(changed, /"target":"\/test-device:device/);
    stream.leave();
    for (let count = await sessions(); count > before; count = await sessions());
  });

  it('replays what happened before, and ends at the stop time', async () => {
    const stop = encodeURIComponent(new Date(Date.now() - 1).toISOString());
    const query = `start-time=2020-01-01T00:00:00Z&stop-time=${stop}`;
    const stream = await openStream(`/proxy/router1/streams/NETCONF?${query}`);
    const text = await stream.ended();
    assert.match(text, /netconf-session-start|sysSessionStart/);
    assert.match(text, /notificationComplete/);
  });
});
