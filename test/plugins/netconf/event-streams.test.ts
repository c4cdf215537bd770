import assert from 'node:assert/strict';
import type { AdapterStream } from '../../../src/core/adapter.js';
import { Problem } from '../../../src/core/problem.js';
import { attributeOf, childElement, childText } from '../../../src/yang/encoding/xml-element.js';
import { problem } from '../../support/failing.js';
import { type DoubleSession, errorReply, type NetconfDoubleOptions } from '../../support/netconf-double.js';
import { until } from '../../support/until.js';
import type { TestAdapter } from './adapter.js';
import { CAPABILITIES, doublesOfTest, notification, SCHEMAS } from './double-adapter.js';

const MODULE = `module test-device {
  yang-version 1.1; namespace "urn:test:device"; prefix d; revision 2026-01-01;
  container device { list port { key "name"; leaf name { type string; } leaf speed { type uint32; }
    notification down { leaf reason { type string; } } } }
  notification alarm { leaf severity { type uint8; } leaf text { type string; } }
}
`;
const NOTIFICATION = 'urn:ietf:params:netconf:capability:notification:1.0';
const XPATH = 'urn:ietf:params:netconf:capability:xpath:1.0';
const STREAMS =
  '<data><netconf xmlns="urn:ietf:params:xml:ns:netmod:notification"><streams><stream><name>NETCONF</name><description>all</description><replaySupport>true</replaySupport></stream><stream><name>alarms</name></stream></streams></netconf></data>';

const alarm = (text: string): string =>
  notification(`<alarm xmlns="urn:test:device"><severity>3</severity><text>${text}</text></alarm>`);

/** Returns the events of a stream, each as its name and its data. */
async function* eventsIn({ body }: AdapterStream) {
  let text = '';
  for await (const piece of body) {
    const events = `${text}${String(piece)}`.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined)
        yield [/^event: (.*)$/m.exec(event)?.[1] ?? '', JSON.parse(data) as unknown] as const;
    }
  }
}

describe('the event streams of the plugin netconf', () => {
  const ending = new Set<AbortController>();
  afterEach(() => {
    for (const controller of ending) controller.abort(new Problem('caller_gone', 'the test has ended'));
    ending.clear();
  });
  const doubles = doublesOfTest();

  async function start(options: NetconfDoubleOptions = {}, more: Readonly<Record<string, unknown>> = {}) {
    const subscribed: DoubleSession[] = [];
    const own: NetconfDoubleOptions = {
      capabilities: [...CAPABILITIES, NOTIFICATION, XPATH],
      schemas: { ...SCHEMAS, 'test-device': MODULE },
      onOperation: ({ name }, session) => {
        if (name === 'create-subscription' || name === 'establish-subscription') subscribed.push(session);
        return name === 'get' ? STREAMS : '<ok/>';
      },
    };
    return { ...(await doubles.start({ ...own, ...options }, more)), subscribed };
  }

  function open(
    { adapter }: TestAdapter,
    path: string,
    { method = 'GET', ...headers }: Readonly<Record<string, string>> = {},
  ) {
    const leaving = new AbortController();
    ending.add(leaving);
    const stream = adapter.openStream?.({ method, path, headers }, leaving.signal);
    assert.ok(stream);
    return {
      stream,
      leave: () => {
        leaving.abort(new Problem('caller_gone', 'left'));
      },
    };
  }

  /** Opens a stream, and returns a function for its next event; it returns undefined at the end. */
  async function openEvents(device: TestAdapter, path = '/streams/NETCONF') {
    const stream = await open(device, path).stream;
    assert.deepEqual([stream.status, stream.headers['content-type']], [200, 'text/event-stream']);
    const events = eventsIn(stream);
    return { next: async () => (await events.next()).value ?? undefined };
  }

  async function refusal(
    device: TestAdapter,
    path: string,
    sent: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { status, body } = await open(device, path, sent).stream;
    let text = '';
    for await (const piece of body) text += String(piece);
    return `${status} ${text}`;
  }

  it('open on another session if the first one breaks before the subscription', async () => {
    const names: string[] = [];
    const { device } = await start({
      onOperation: ({ name }, session) => {
        names.push(name);
        if (names.filter((one) => one === 'get').length === 1) session.drop();
        return name === 'get' ? STREAMS : '<ok/>';
      },
    });
    await openEvents(device);
    assert.deepEqual(names.slice(0, 3), ['get', 'get', 'create-subscription']);
  });

  it('send notifications as ietf-restconf:notification (RFC 8040 section 6.4)', async () => {
    const { device, subscribed } = await start();
    const events = await openEvents(device);
    const down = '<down><reason>cut</reason></down>';
    subscribed[0]?.send(alarm('a'));
    subscribed[0]?.send(
      notification(`<device xmlns="urn:test:device"><port><name>xe/0</name>${down}</port></device>`),
    );
    const port = [{ name: 'xe/0', down: { reason: 'cut' } }];
    for (const event of [
      { 'test-device:alarm': { severity: 3, text: 'a' } },
      { 'test-device:device': { port } },
    ]) {
      const sent = { 'ietf-restconf:notification': { eventTime: '2026-01-31T12:00:00Z', ...event } };
      assert.deepEqual(await events.next(), ['', sent]);
    }
  });

  it('subscribe with filter, start-time and stop-time (sections 4.8.4 to 4.8.8)', async () => {
    const { double, device } = await start();
    const times = 'start-time=2026-01-01T00:00:00Z&stop-time=2026-01-02T00:00:00%2B01:00';
    const filter = encodeURIComponent("/test-device:alarm[text='a:b']");
    await open(device, `/restconf/streams/alarms?filter=${filter}&${times}`).stream;
    const operation = double.operations.find(({ name }) => name === 'create-subscription');
    assert.ok(operation);
    assert.deepEqual(
      ['stream', 'startTime', 'stopTime'].map((name) => childText(operation, name)),
      ['alarms', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00+01:00'],
    );
    const select = childElement(operation, 'filter');
    assert.ok(select);
    assert.equal(attributeOf(select, 'select'), "/test-device:alarm[text='a:b']");
    assert.equal(select.prefixes.get('test-device'), 'urn:test:device');
  });

  it('establish a subscription where the server has nothing else (RFC 8639), and for a datastore (RFC 8641)', async () => {
    const names = ['ietf-subscribed-notifications', 'ietf-yang-push'];
    const { double, device } = await start({
      capabilities: [
        ...CAPABILITIES,
        ...names.map((name) => `urn:x:${name}?module=${name}&revision=2019-09-09`),
      ],
      onOperation: ({ name }) => (name === 'get' ? '<data/>' : '<id>7</id>'),
    });
    await open(device, '/streams/NETCONF').stream;
    await open(device, '/streams/yang-push/operational?period=1.5&filter=/test-device:device').stream;
    await open(device, '/streams/yang-push/running').stream;
    const [stream, periodic, onChange] = double.operations.filter(
      ({ name }) => name === 'establish-subscription',
    );
    assert.ok(stream && periodic && onChange);
    assert.equal(childText(stream, 'stream'), 'NETCONF');
    assert.equal(childText(periodic, 'datastore'), 'ds:operational');
    assert.equal(childText(periodic, 'datastore-xpath-filter'), '/test-device:device');
    const period = childElement(periodic, 'periodic');
    assert.equal(period && childText(period, 'period'), '150');
    assert.ok(childElement(onChange, 'on-change'));
  });

  it('are listed with their locations (section 9.3)', async () => {
    const { device } = await start();
    const access = (name: string) => [{ encoding: 'json', location: `/proxy/test/streams/${name}` }];
    const streams = [
      { name: 'NETCONF', description: 'all', 'replay-support': true, access: access('NETCONF') },
      { name: 'alarms', access: access('alarms') },
    ];
    const path = '/restconf/data/ietf-restconf-monitoring:restconf-state/streams';
    assert.deepEqual(await device.get(path), { 'ietf-restconf-monitoring:streams': { stream: streams } });
  });

  const REFUSALS: readonly (readonly [path: string, expected: RegExp])[] = [
    ['/streams/nothing', /^404 .*there is no stream \\"nothing\\"; the server has NETCONF, alarms/],
    ['/streams/yang-push/operational', /^501 .*YANG-Push/],
    ['/streams/other/operational', /^404 /],
    ['/streams/NETCONF?depth=1', /^400 .*depth/],
    ['/streams/NETCONF?stop-time=2026-01-01T00:00:00Z', /^400 .*needs \\"start-time\\"/],
    ['/streams/NETCONF?start-time=yesterday', /^400 .*start-time/],
    ['/streams/NETCONF?start-time=2026-01-02T00:00:00Z&stop-time=2026-01-01T00:00:00Z', /^400 .* be after/],
    ['/streams/NETCONF?filter=/nothing:x', /^400 .*module \\"nothing\\"/],
    ['/streams/NETCONF?filter=', /^400 .*XPath/],
  ];
  it('refuse what the server cannot do, with words', async () => {
    const { double, device } = await start();
    for (const [path, expected] of REFUSALS) assert.match(await refusal(device, path), expected, path);
    assert.match(await refusal(device, '/streams/NETCONF', { accept: 'application/json' }), /^406 /);
    assert.match(await refusal(device, '/streams/NETCONF', { method: 'POST' }), /^405 /);
    await assert.rejects(open(device, '/restconf/data').stream, /only event streams/);
    await until(() => double.sessions() === 1);
  });

  it('report what the server answers to the subscription, and leave no session', async () => {
    const { double, device } = await start({
      onOperation: ({ name }) => (name === 'get' ? STREAMS : errorReply('resource-denied', 'enough streams')),
    });
    assert.match(await refusal(device, '/streams/NETCONF'), /^409 .*enough streams/);
    await until(() => double.sessions() === 1);
  });

  it('end the session when the client leaves', async () => {
    const { double, device } = await start();
    const { stream, leave } = open(device, '/streams/NETCONF');
    await stream;
    assert.equal(double.sessions(), 2);
    leave();
    await until(() => double.sessions() === 1);
  });

  it('end with an event when the server closes the session, and when the adapter stops', async () => {
    const { device, subscribed } = await start();
    const [first, second] = [await openEvents(device), await openEvents(device, '/streams/alarms')];
    subscribed[0]?.drop();
    assert.match(JSON.stringify(await first.next()), /errors.*the server closed its session/);
    assert.equal(await first.next(), undefined);
    await device.stop();
    assert.match(JSON.stringify(await second.next()), /errors.*stopped or replaced/);
    assert.equal(await second.next(), undefined);
  });

  it('end after the last notification of a replay', async () => {
    const { double, device, subscribed } = await start();
    const events = await openEvents(device, '/streams/NETCONF?start-time=2026-01-01T00:00:00Z');
    const last = '<notificationComplete xmlns="urn:ietf:params:xml:ns:netmod:notification"/>';
    subscribed[0]?.send(notification(last));
    assert.match(JSON.stringify(await events.next()), /nc-notifications:notificationComplete/);
    assert.equal(await events.next(), undefined);
    await until(() => double.sessions() === 1);
  });

  for (const [what, text, expected] of [
    ['that no module has', notification('<unknown xmlns="urn:x"/>'), /errors.*as JSON.*unknown/],
    ['of more than 1 MiB', alarm('x'.repeat(1_100_000)), /errors.*cannot be written as JSON/],
  ] as const)
    it(`report a notification ${what}, and go on`, async () => {
      const { device, subscribed } = await start();
      const events = await openEvents(device);
      subscribed[0]?.send(text);
      subscribed[0]?.send(alarm('b'));
      assert.match(JSON.stringify(await events.next()), expected);
      assert.match(JSON.stringify(await events.next()), /alarm/);
    });

  const UNKNOWN = notification(`<${'x'.repeat(500)} xmlns="urn:unknown"/>`);
  for (const [what, text, count, most] of [
    ['when the client reads too slowly', alarm('x'.repeat(100_000)), 20, 11],
    ['when the notifications that wait cannot be written', UNKNOWN, 2500, 2500],
  ] as const)
    it(`are dropped with an event ${what}`, async () => {
      const { double, device, subscribed } = await start();
      const events = await openEvents(device);
      for (let sent = 0; sent < count; sent += 1) subscribed[0]?.send(text);
      await until(() => double.sessions() === 1);
      let received = 0;
      let last: unknown;
      for (let event = await events.next(); event; event = await events.next()) {
        received += 1;
        last = event;
      }
      assert.ok(received <= most, `${received} events`);
      assert.match(JSON.stringify(last), /errors.*resource-denied.*reads too slowly/);
    });

  it('report a notification of 100,000 levels, and end without a session', async () => {
    const { double, device, subscribed } = await start();
    const events = await openEvents(device);
    subscribed[0]?.send(notification(`${'<a xmlns="urn:x">'.repeat(100_000)}${'</a>'.repeat(100_000)}`));
    await until(() => double.sessions() === 1);
    assert.match(JSON.stringify(await events.next()), /errors.*closed its session/);
  });

  it('are bounded in number, outside of the sessions for calls', async () => {
    const { double, device } = await start({}, { streams: 2, sessions: 1 });
    const first = open(device, '/streams/NETCONF');
    await first.stream;
    await open(device, '/streams/NETCONF').stream;
    await assert.rejects(open(device, '/streams/NETCONF').stream, problem('upstream_busy'));
    assert.equal(await device.outcome('GET /restconf/operations'), '200');
    first.leave();
    await until(() => double.sessions() === 2);
    await openEvents(device);
  });
});
