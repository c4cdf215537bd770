import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headerOf } from '../../../src/core/adapter.js';
import { explainFault } from '../../../plugins/netconf/replies.js';
import { NETCONFD } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';
import { type NetconfServer, startNetconfServer } from '../../support/netconf-server.js';
import { openedBySuite } from '../../support/opened.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { optionsFor, startAdapter, type TestAdapter } from './adapter.js';
import { DEVICE_MODULE } from './device-module.js';

const DATA = '/restconf/data';
const DEVICE = `${DATA}/test-device:device`;
const PORT = `${DEVICE}/port=1,xe%2F0`;

const FULL = {
  hostname: 'r1 <core> & "edge"',
  counter: '18446744073709551615',
  offset: -5,
  ratio: '1.5',
  enabled: false,
  marker: [null],
  media: 'test-device:fiber',
  address: '2001:db8::1',
  mtu: 1500,
  dns: ['192.0.2.53', '192.0.2.1'],
  port: [
    { slot: 1, name: 'xe/0', speed: 10_000, unit: [{ id: 0, vlan: 100 }] },
    { slot: 2, name: 'ge,0' },
  ],
  service: { level: 'low' },
  'tcp-port': 22,
};

for (const target of ['candidate', 'running'] as const)
  describeWith(NETCONFD, `the plugin netconf with netconfd, whose clients change ${target}`, () => {
    let server: NetconfServer;
    let device: TestAdapter;
    const opened = openedBySuite();
    before(async () => {
      const file = join(temporaryFolder().path, 'test-device@2026-01-01.yang');
      writeFileSync(file, DEVICE_MODULE);
      server = await opened(startNetconfServer({ target, modules: [file] }));
      device = await startAdapter(optionsFor(server));
      await opened({ close: () => device.stop() });
    });
    beforeEach(async () => {
      assert.match(await device.outcome(`PUT ${DEVICE}`, { 'test-device:device': FULL }), /^20[14]$/);
    });

    describe('reading', () => {
      it('returns the API resource, the operations and the version of the YANG library (section 3.3)', async () => {
        assert.deepEqual(await device.get('/restconf'), {
          'ietf-restconf:restconf': { data: {}, operations: {} },
        });
        const operations = await device.get('/restconf/operations', '/ietf-restconf:operations');
        assert.deepEqual((operations as Record<string, unknown>)['test-device:restart'], [null]);
        assert.deepEqual(await device.get('/restconf/yang-library-version'), {
          'ietf-restconf:yang-library-version': '2016-06-21',
        });
      });

      it('returns what was written, each type in its form (RFC 7951)', async () => {
        assert.deepEqual(await device.get(DEVICE), { 'test-device:device': FULL });
        assert.deepEqual(
          await device.get(`${DATA}?content=config`, '/ietf-restconf:data/test-device:device'),
          FULL,
        );
      });

      it('returns list entries by percent-encoded keys, leaves, whole lists and entries of leaf-lists (section 3.5.3)', async () => {
        assert.deepEqual(await device.get(PORT), { 'test-device:port': [FULL.port[0]] });
        assert.deepEqual(await device.get(`${DEVICE}/port=2,ge%2C0`), { 'test-device:port': [FULL.port[1]] });
        assert.deepEqual(await device.get(`${PORT}/speed`), { 'test-device:speed': 10_000 });
        assert.deepEqual(await device.get(`${PORT}/unit=0/vlan`), { 'test-device:vlan': 100 });
        assert.deepEqual(await device.get(`${DEVICE}/port`), { 'test-device:port': FULL.port });
        assert.deepEqual(await device.get(`${DEVICE}/dns=192.0.2.1`), { 'test-device:dns': ['192.0.2.1'] });
      });

      it('takes the paths of RESTCONF with and without its root', async () => {
        assert.deepEqual(await device.get('/data/test-device:device/offset'), { 'test-device:offset': -5 });
      });

      it('returns state, with the modules of the server', async () => {
        const path = `${DATA}/ietf-netconf-monitoring:netconf-state/datastores`;
        const entries = await device.get(path, '/ietf-netconf-monitoring:datastores/datastore');
        assert.ok((entries as readonly { name: string }[]).some(({ name }) => name === 'running'));
        assert.equal(
          await device.outcome(`GET ${path}?content=config`),
          '404 invalid-value: there is no such data',
        );
      });

      it('limits depth, fields and content (section 4.8)', async () => {
        assert.deepEqual(await device.get(`${DEVICE}?depth=1`), { 'test-device:device': {} });
        const fields = await device.get(`${DEVICE}?fields=hostname;port(name;unit/vlan)`);
        assert.deepEqual(fields, {
          'test-device:device': {
            hostname: FULL.hostname,
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

      it('returns defaults on request (section 4.8.9)', async () => {
        await device.call(`DELETE ${DEVICE}/enabled`);
        assert.equal(await device.get(DEVICE, '/test-device:device/enabled'), undefined);
        assert.deepEqual(await device.get(`${DEVICE}/enabled?with-defaults=report-all`), {
          'test-device:enabled': true,
        });
      });

      it('answers 404 for what is not there', async () => {
        for (const path of [`${DEVICE}/port=9,x`, `${DEVICE}/socket`, `${DEVICE}/dns=192.0.2.9`])
          assert.equal(await device.outcome(`GET ${path}`), '404 invalid-value: there is no such data', path);
        for (const path of ['/', '/restconfx', '/restconf/nothing', '/restconf/operations/a:b'])
          assert.match(await device.outcome(`GET ${path}`), /^404 invalid-value/, path);
      });

      it('answers 404 for a path that the model does not have, and 400 for a malformed one and unknown parameters', async () => {
        for (const path of [`${DATA}/device`, `${DEVICE}/nothing`])
          assert.match(await device.outcome(`GET ${path}`), /^404 invalid-value/, path);
        for (const path of [`${DEVICE}/port=1`, `${DEVICE}/port/speed`, `${DEVICE}/%zz`])
          assert.match(await device.outcome(`GET ${path}`), /^400 malformed-message/, path);
        assert.match(await device.outcome(`GET ${DEVICE}/port=a,b`), /^400 invalid-value/);
        for (const query of [
          'depth=0',
          'depth=x',
          'content=x',
          'fields=(',
          'with-defaults=x',
          'a=b',
          'depth=1&depth=2',
        ])
          assert.match(await device.outcome(`GET ${DEVICE}?${query}`), /^400 invalid-value/, query);
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

      it('creates with PUT: 201, and replaces: 204 (section 4.5)', async () => {
        const body = { 'test-device:port': [{ slot: 4, name: 'x', description: 'new' }] };
        const path = `${DEVICE}/port=4,x`;
        assert.equal(await device.outcome(`PUT ${path}`, body), '201');
        assert.equal(
          await device.outcome(`PUT ${path}`, { 'test-device:port': [{ slot: 4, name: 'x' }] }),
          '204',
        );
        assert.equal(
          await device.outcome(`GET ${path}/description`),
          '404 invalid-value: there is no such data',
        );
        assert.match(
          await device.outcome(`PUT ${DEVICE}/port=5,x`, body),
          /^400 invalid-value: the body has another "slot"/,
        );
        assert.match(
          await device.outcome(`PUT ${DEVICE}/port=6,x/speed`, { 'test-device:speed': 1 }),
          /^404 invalid-value: the parent/,
        );
        assert.equal(await device.outcome(`PUT ${DEVICE}/offset`, { 'test-device:offset': 7 }), '204');
        assert.deepEqual(await device.get(`${DEVICE}/offset`), { 'test-device:offset': 7 });
      });

      it('replaces a container inside of containers that do not exist', async () => {
        await device.call(`DELETE ${DEVICE}`);
        assert.equal(await device.outcome(`PUT ${DEVICE}/hostname`, { 'test-device:hostname': 'r2' }), '201');
        assert.deepEqual(await device.get(DEVICE), { 'test-device:device': { hostname: 'r2' } });
      });

      it('merges with PATCH, which creates no list entry (section 4.6.1)', async () => {
        const body = { 'test-device:port': [{ slot: 1, name: 'xe/0', description: 'uplink' }] };
        assert.equal(await device.outcome(`PATCH ${PORT}`, body), '204');
        assert.deepEqual(await device.get(PORT), {
          'test-device:port': [{ ...FULL.port[0], description: 'uplink' }],
        });
        assert.match(
          await device.outcome(`PATCH ${DEVICE}/port=9,x`, { 'test-device:port': [{ slot: 9, name: 'x' }] }),
          /^404/,
        );
        assert.equal(
          await device.outcome(`PATCH ${DATA}`, {
            'ietf-restconf:data': { 'test-device:device': { hostname: 'r3' } },
          }),
          '204',
        );
        assert.equal(await device.get(DEVICE, '/test-device:device/hostname'), 'r3');
      });

      it('deletes: 204, then 404 (section 4.7)', async () => {
        for (const path of [PORT, `${DEVICE}/dns=192.0.2.53`, `${DEVICE}/service`, `${DEVICE}/hostname`]) {
          assert.equal(await device.outcome(`DELETE ${path}`), '204', path);
          assert.equal(
            await device.outcome(`DELETE ${path}`),
            '404 invalid-value: there is no such data',
            path,
          );
        }
      });

      it('moves between the cases of a choice', async () => {
        assert.equal(await device.outcome(`PUT ${DEVICE}/socket`, { 'test-device:socket': '/run/x' }), '201');
        assert.match(await device.outcome(`GET ${DEVICE}/tcp-port`), /^404/);
      });

      const BAD: readonly (readonly [expected: RegExp, body: unknown])[] = [
        [/^400 malformed-message/, '{"test-device:port":'],
        [/^400 malformed-message/, '[]'],
        [/^400 malformed-message/, {}],
        [/^400 malformed-message/, { 'test-device:hostname': 'a', 'test-device:offset': 1 }],
        [/^400 unknown-element/, { 'test-device:nothing': 1 }],
        [
          /^400 unknown-element: .*port\/0\/colour is no node/,
          { 'test-device:port': [{ slot: 9, name: 'x', colour: 'red' }] },
        ],
        [/^400 invalid-value.*\/speed/, { 'test-device:port': [{ slot: 9, name: 'x', speed: 'fast' }] }],
        [
          /^400 invalid-value.*range/,
          { 'test-device:port': [{ slot: 9, name: 'x', unit: [{ id: 1, vlan: 5000 }] }] },
        ],
        [/^400 missing-element.*name is a key/, { 'test-device:port': [{ slot: 9 }] }],
        [
          /^400 malformed-message.*one entry/,
          {
            'test-device:port': [
              { slot: 8, name: 'x' },
              { slot: 9, name: 'x' },
            ],
          },
        ],
      ];
      it('refuses bodies that the model does not have, and changes nothing', async () => {
        for (const [expected, body] of BAD) {
          const outcome = await device.outcome(`POST ${DEVICE}`, body);
          assert.match(outcome, expected, JSON.stringify(body));
        }
        assert.deepEqual(await device.get(DEVICE), { 'test-device:device': FULL });
      });

      it('passes the errors of the server on, and takes the change back', async () => {
        await device.call(`DELETE ${DEVICE}/service`);
        const reply = await device.call(`PUT ${DEVICE}/service`, { 'test-device:service': {} });
        assert.equal(reply.status, 409, reply.body.toString());
        const explained = explainFault(reply);
        assert.match(explained?.errors?.[0]?.message ?? '', /^data-missing/);
        assert.equal(explained?.errors?.[0]?.pointer, '/test-device:device/service/level');
        assert.match(await device.outcome(`GET ${DEVICE}/service`), /^404/);
        assert.equal(
          await device.outcome(`PUT ${DEVICE}/hostname`, { 'test-device:hostname': 'after' }),
          '204',
        );
      });

      it('refuses what cannot be changed: 405 (section 4.1)', async () => {
        const state = `${DATA}/ietf-netconf-monitoring:netconf-state/statistics`;
        for (const line of [
          `DELETE ${state}`,
          `DELETE ${DATA}`,
          `DELETE ${DEVICE}/port`,
          'PUT /restconf',
          'DELETE /restconf/operations/test-device:restart',
        ])
          assert.match(await device.outcome(line), /^405 operation-not-supported/, line);
      });

      it('keeps the order of a list that the user orders', async () => {
        const dns = ['192.0.2.3', '192.0.2.1', '192.0.2.2'];
        assert.equal(await device.outcome(`PUT ${DEVICE}`, { 'test-device:device': { dns } }), '204');
        assert.deepEqual(await device.get(DEVICE), { 'test-device:device': { dns } });
      });
    });

    describe('operations', () => {
      it('are called (section 4.4.2)', async () => {
        const restart = '/restconf/operations/test-device:restart';
        assert.equal(await device.outcome(`POST ${restart}`, { 'test-device:input': { delay: 5 } }), '204');
        assert.equal(await device.outcome(`POST ${restart}`), '204');
        assert.match(
          await device.outcome(`POST ${restart}`, { 'test-device:input': { delay: 'x' } }),
          /^400 invalid-value/,
        );
        assert.match(await device.outcome(`POST ${restart}`, { delay: 5 }), /^400 malformed-message/);
      });

      it('return their output', async () => {
        const reply = await device.call('POST /restconf/operations/ietf-netconf-monitoring:get-schema', {
          'ietf-netconf-monitoring:input': {
            identifier: 'test-device',
            format: 'ietf-netconf-monitoring:yang',
          },
        });
        assert.equal(reply.status, 200, reply.body.toString());
        assert.match(reply.body.toString(), /module test-device/);
      });

      it('of the session are refused', async () => {
        for (const name of [
          'ietf-netconf:lock',
          'ietf-netconf:close-session',
          'notifications:create-subscription',
        ])
          assert.match(await device.outcome(`POST /restconf/operations/${name}`), /^(?:501|404)/, name);
      });
    });

    it('carries out calls that come at once', async () => {
      const changes = Array.from({ length: 10 }, (_, index) =>
        device.outcome(`PUT ${DEVICE}/port=${index + 10},p`, {
          'test-device:port': [{ slot: index + 10, name: 'p' }],
        }),
      );
      const reads = Array.from({ length: 30 }, () => device.outcome(`GET ${DEVICE}/offset`));
      assert.deepEqual(new Set(await Promise.all(changes)), new Set(['201']));
      assert.deepEqual(new Set(await Promise.all(reads)), new Set(['200']));
      assert.equal(((await device.get(`${DEVICE}/port`, '/test-device:port')) as unknown[]).length, 12);
      assert.equal(device.adapter.connection?.().state, 'ONLINE');
    });

    it('loads all modules of the server', () => {
      const loaded = device.lines.find(({ message }) => message === 'YANG modules loaded');
      assert.ok(Number(loaded?.fields?.['modules']) > 10);
      assert.deepEqual(
        device.lines.filter(({ level }) => level === 'warn'),
        [],
      );
    });
  });
