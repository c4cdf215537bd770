import assert from 'node:assert/strict';
import { explainFault } from '../../../plugins/netconf/replies.js';
import { headerOf } from '../../../src/core/adapter.js';
import { column } from '../../support/columns.js';
import { NETCONFD } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';
import { openedBySuite } from '../../support/opened.js';
import { optionsFor, startAdapter, startDevice, type TestAdapter } from './adapter.js';
import { DEVICE_DATA } from './device-module.js';
import { DEVICE } from './double-adapter.js';

const DATA = '/restconf/data';
const PORT = `${DEVICE}/port=1,xe%2F0`;

for (const target of ['candidate', 'running'] as const)
  describeWith(NETCONFD, `the plugin netconf with netconfd, whose clients change ${target}`, () => {
    let device: TestAdapter;
    const opened = openedBySuite();
    before(async () => {
      const server = await opened(startDevice(target));
      device = await startAdapter(optionsFor(server));
      await opened({ close: () => device.stop() });
    });
    beforeEach(async () => {
      assert.match(await device.outcome(`PUT ${DEVICE}`, { 'test-device:device': DEVICE_DATA }), /^20[14]$/);
    });

    describe('reading', () => {
      it('returns what was written, each type in its form (RFC 7951)', async () => {
        assert.deepEqual(await device.get(DEVICE), { 'test-device:device': DEVICE_DATA });
        const config = await device.get(`${DATA}?content=config`, '/ietf-restconf:data/test-device:device');
        assert.deepEqual(config, DEVICE_DATA);
      });

      it('returns list entries by percent-encoded keys, leaves, whole lists and entries of leaf-lists (section 3.5.3)', async () => {
        assert.deepEqual(await device.get(PORT), { 'test-device:port': [DEVICE_DATA.port[0]] });
        assert.deepEqual(await device.get(`${DEVICE}/port=2,ge%2C0`), {
          'test-device:port': [DEVICE_DATA.port[1]],
        });
        assert.deepEqual(await device.get(`${PORT}/speed`), { 'test-device:speed': 10_000 });
        assert.deepEqual(await device.get(`${PORT}/unit=0/vlan`), { 'test-device:vlan': 100 });
        assert.deepEqual(await device.get(`${DEVICE}/port`), { 'test-device:port': DEVICE_DATA.port });
        assert.deepEqual(await device.get(`${DEVICE}/dns=192.0.2.1`), { 'test-device:dns': ['192.0.2.1'] });
      });

      it('returns state, with the modules of the server', async () => {
        const path = `${DATA}/ietf-netconf-monitoring:netconf-state/datastores`;
        const entries = await device.get(path, '/ietf-netconf-monitoring:datastores/datastore');
        assert.ok((entries as readonly { name: string }[]).some(({ name }) => name === 'running'));
        const config = await device.outcome(`GET ${path}?content=config`);
        assert.equal(config, '404 invalid-value: there is no such data');
      });

      it('limits depth, fields and content (section 4.8)', async () => {
        assert.deepEqual(await device.get(`${DEVICE}?depth=1`), { 'test-device:device': {} });
        const fields = await device.get(`${DEVICE}?fields=hostname;port(name;unit/vlan)`);
        assert.deepEqual(fields, {
          'test-device:device': {
            hostname: DEVICE_DATA.hostname,
            port: [
              { slot: 1, name: 'xe/0', unit: [{ id: 0, vlan: 100 }] },
              { slot: 2, name: 'ge,0' },
            ],
          },
        });
        assert.deepEqual(await device.get(`${PORT}?depth=2`), {
          'test-device:port': [{ slot: 1, name: 'xe/0', speed: 10_000, unit: [{}] }],
        });
      });

      it('answers 400 for missing keys and for keys of another type', async () => {
        assert.match(await device.outcome(`GET ${DEVICE}/port=1`), /^400 malformed-message/);
        assert.match(await device.outcome(`GET ${DEVICE}/port=a,b`), /^400 invalid-value/);
      });
    });

    describe('changing', () => {
      it('creates with POST: 201 and location, then 409 (section 4.4.1)', async () => {
        const body = { 'test-device:port': [{ slot: 3, name: 'a/b,c' }] };
        const reply = await device.call(`POST ${DEVICE}`, body);
        assert.equal(reply.status, 201);
        const location = headerOf(reply.headers, 'location') ?? '';
        assert.equal(location, `${DEVICE}/port=3,a%2Fb%2Cc`);
        assert.deepEqual(await device.get(location), body);
        assert.match(await device.outcome(`POST ${DEVICE}`, body), /^409 data-exists/);
        assert.equal(await device.outcome(`POST ${DEVICE}`, { 'test-device:dns': ['192.0.2.9'] }), '201');
      });

      it('replaces a container inside of containers that do not exist', async () => {
        await device.call(`DELETE ${DEVICE}`);
        assert.equal(await device.outcome(`PUT ${DEVICE}/hostname`, { 'test-device:hostname': 'r2' }), '201');
        assert.deepEqual(await device.get(DEVICE), { 'test-device:device': { hostname: 'r2' } });
      });

      it('moves between the cases of a choice', async () => {
        assert.equal(await device.outcome(`PUT ${DEVICE}/socket`, { 'test-device:socket': '/run/x' }), '201');
        assert.match(await device.outcome(`GET ${DEVICE}/tcp-port`), /^404/);
      });

      it('passes the errors of the server on, and takes the change back', async () => {
        await device.call(`DELETE ${DEVICE}/service`);
        const reply = await device.call(`PUT ${DEVICE}/service`, { 'test-device:service': {} });
        assert.equal(reply.status, 409, reply.body.toString());
        const explained = explainFault(reply);
        assert.match(explained?.errors?.[0]?.message ?? '', /^data-missing/);
        assert.equal(explained?.errors?.[0]?.pointer, '/test-device:device/service/level');
        assert.match(await device.outcome(`GET ${DEVICE}/service`), /^404/);
        const next = device.outcome(`PUT ${DEVICE}/hostname`, { 'test-device:hostname': 'after' });
        assert.equal(await next, '204');
      });

      it('refuses what cannot be changed: 405 (section 4.1)', async () => {
        for (const line of [`DELETE ${DEVICE}/port`, 'DELETE /restconf/operations/test-device:restart'])
          assert.match(await device.outcome(line), /^405 operation-not-supported/, line);
      });
    });

    describe('the place of an entry in the order of the user (sections 4.8.5 and 4.8.6)', () => {
      const point = (path: string): string => `point=${encodeURIComponent(`/test-device:device/${path}`)}`;
      const rule = (name: string) => ({ 'test-device:rule': [{ name }] });
      const names = async (): Promise<unknown> => {
        const rules = await device.get(`${DEVICE}/rule`, '/test-device:rule');
        return column(rules as readonly { name: string }[], 'name');
      };

      it('is first or last in a list', async () => {
        for (const [line, name] of [
          [`POST ${DEVICE}`, 'b'],
          [`POST ${DEVICE}?insert=first`, 'a'],
          [`POST ${DEVICE}?insert=last`, 'c'],
        ] as const)
          assert.equal(await device.outcome(line, rule(name)), '201', line);
        // A commit of netconfd puts an entry that is new in candidate at the end.
        assert.deepEqual(await names(), target === 'running' ? ['a', 'b', 'c'] : ['b', 'a', 'c']);
      });

      it('is before a value of a leaf-list', async () => {
        const value = { 'test-device:dns': ['192.0.2.7'] };
        const line = `POST ${DEVICE}?insert=before&${point('dns=192.0.2.1')}`;
        assert.equal(await device.outcome(line, value), '201');
        const dns = ['192.0.2.53', '192.0.2.7', '192.0.2.1'];
        const found = await device.get(`${DEVICE}/dns`, '/test-device:dns');
        assert.deepEqual(found, target === 'running' ? dns : DEVICE_DATA.dns.concat('192.0.2.7'));
      });

      // netconfd accepts no form of yang:key (RFC 7950 section 7.8.6).
      it('is refused by the server where it does not know the entry of the point', async () => {
        const line = `POST ${DEVICE}?insert=before&${point('rule=none')}`;
        assert.match(await device.outcome(line, rule('x')), /^400 bad-attribute/);
        assert.match(await device.outcome(`GET ${DEVICE}/rule=x`), /^404/);
      });
    });

    it('refuses operations of the session', async () => {
      for (const name of [
        'ietf-netconf:lock',
        'ietf-netconf:close-session',
        'notifications:create-subscription',
      ])
        assert.match(await device.outcome(`POST /restconf/operations/${name}`), /^(?:501|404)/, name);
    });

    it('carries out calls that come at once', async () => {
      const changes = Array.from({ length: 10 }, (_, at) => {
        const body = { 'test-device:port': [{ slot: at + 10, name: 'p' }] };
        return device.outcome(`PUT ${DEVICE}/port=${at + 10},p`, body);
      });
      const reads = Array.from({ length: 30 }, () => device.outcome(`GET ${DEVICE}/offset`));
      assert.deepEqual(new Set(await Promise.all(changes)), new Set(['201']));
      assert.deepEqual(new Set(await Promise.all(reads)), new Set(['200']));
      assert.equal(((await device.get(`${DEVICE}/port`, '/test-device:port')) as unknown[]).length, 12);
      assert.equal(device.adapter.connection?.().state, 'ONLINE');
    });

    it('loads all modules of the server', () => {
      const loaded = device.lines.find(({ message }) => message === 'YANG modules loaded');
      assert.ok(Number(loaded?.fields['modules']) > 10);
      assert.ok(!device.lines.some(({ level }) => level === 'warn'));
    });
  });
