import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { headerOf } from '../../src/core/adapter.js';
import { valueAt } from '../../src/core/pointer.js';
import { createRestconfDouble, type RestconfDouble } from '../support/restconf-double.js';
import { DATA, GIGABIT, LIST, RPC, YANG, clientOf } from './restconf-client.js';

const start = Date.parse('2024-05-01T10:00:00Z');

describe('editing in the RESTCONF double', () => {
  let double: RestconfDouble;
  let now = start;

  beforeEach(async () => {
    now = start;
    const clock = { now: () => now };
    double = await createRestconfDouble({ username: 'admin', password: 'admin', tls: false, clock });
  });
  afterEach(() => double.close());

  const { call, get, errorOf, valueOf } = clientOf(() => double);

  const eth9 = { name: 'eth9', type: 'iana-if-type:ethernetCsmacd' };

  it('creates with POST: 201 and Location, then 409 (section 4.4.1)', async () => {
    const body = { 'ietf-interfaces:interface': [{ ...eth9, name: 'xe/9' }] };
    const reply = await call(`POST ${LIST}`, { body });
    assert.equal(reply.status, 201);
    assert.equal(headerOf(reply.headers, 'location'), `${double.url}${LIST}/interface=xe%2F9`);
    assert.equal(reply.body.length, 0);
    assert.deepEqual(await get(`${LIST}/interface=xe%2F9/enabled`), { 'ietf-interfaces:enabled': true });
    assert.equal(await errorOf(`POST ${LIST}`, { body }), '409 data-exists');
    assert.equal(
      await errorOf(`POST ${DATA}`, { body: { 'ietf-interfaces:interfaces': {} } }),
      '409 data-exists',
    );
  });

  it('creates with PUT: 201, and replaces: 204 (section 4.5)', async () => {
    const body = { 'ietf-interfaces:interface': [{ ...eth9, description: 'new' }] };
    assert.equal((await call(`PUT ${LIST}/interface=eth9`, { body })).status, 201);
    assert.equal(
      (await call(`PUT ${LIST}/interface=eth9`, { body: { 'ietf-interfaces:interface': [eth9] } })).status,
      204,
    );
    assert.equal(await errorOf(`GET ${LIST}/interface=eth9/description`), '404 invalid-value');
    assert.equal(await errorOf(`PUT ${LIST}/interface=eth8`, { body }), '400 invalid-value');
    assert.equal(
      await errorOf(`PUT ${LIST}/interface=eth7/enabled`, { body: { 'ietf-interfaces:enabled': true } }),
      '404 invalid-value',
    );
  });

  it('merges with PATCH, which creates no list entry (section 4.6.1)', async () => {
    now += 60_000;
    const body = { 'ietf-interfaces:interface': [{ name: 'eth0', enabled: false }] };
    assert.equal((await call(`PATCH ${LIST}/interface=eth0`, { body })).status, 204);
    const entry = await get(`${LIST}/interface=eth0`, '/ietf-interfaces:interface/0');
    assert.equal(valueAt(entry, '/description'), 'Uplink to core-1');
    assert.equal(valueAt(entry, '/oper-status'), 'down');
    assert.equal(valueAt(entry, '/last-change'), '2024-05-01T10:01:00.000Z');
    assert.equal(
      await errorOf(`PATCH ${LIST}/interface=eth9`, { body: { 'ietf-interfaces:interface': [eth9] } }),
      '404 invalid-value',
    );
    const nested = {
      interface: [{ name: 'eth1', 'ietf-ip:ipv4': { address: [{ ip: '192.0.2.9', 'prefix-length': 32 }] } }],
    };
    assert.equal(
      (await call(`PATCH ${LIST}`, { body: { 'ietf-interfaces:interfaces': nested } })).status,
      204,
    );
    const addresses = await get(`${LIST}/interface=eth1/ietf-ip:ipv4`, '/ietf-ip:ipv4/address');
    assert.equal((addresses as unknown[]).length, 2);
  });

  it('deletes: 204, then 404 (section 4.7)', async () => {
    assert.equal((await call(`DELETE ${GIGABIT}`)).status, 204);
    assert.equal(await errorOf(`DELETE ${GIGABIT}`), '404 invalid-value');
    assert.equal((await call(`DELETE ${LIST}/interface=eth0/description`)).status, 204);
    assert.equal(await get(`${LIST}/interface=eth0`, '/ietf-interfaces:interface/0/description'), undefined);
  });

  it('reports the permitted methods: 405 and OPTIONS (sections 4.1 and 5.1)', async () => {
    const allow = async (line: string) => headerOf((await call(line)).headers, 'allow');
    const options = await call(`OPTIONS ${GIGABIT}`);
    assert.equal(headerOf(options.headers, 'accept-patch'), YANG);
    assert.equal(headerOf(options.headers, 'allow'), 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE');
    assert.equal(await errorOf(`DELETE ${GIGABIT}/oper-status`), '405 operation-not-supported');
    assert.equal(await allow(`DELETE ${GIGABIT}/oper-status`), 'GET, HEAD, OPTIONS');
    assert.equal(await allow(`DELETE ${GIGABIT}/name`), 'GET, HEAD, OPTIONS');
    assert.equal(await allow(`DELETE ${DATA}`), 'GET, HEAD, OPTIONS, POST, PUT, PATCH');
    assert.equal(await allow(`GET ${RPC}`), 'POST, OPTIONS');
    assert.equal(await allow('PUT /restconf'), 'GET, HEAD, OPTIONS');
  });

  const BAD: readonly (readonly [expected: string, body: unknown])[] = [
    ['400 malformed-message', '{"ietf-interfaces:interface":'],
    ['400 malformed-message', '[]'],
    ['400 malformed-message', {}],
    ['400 malformed-message', { interface: [eth9] }],
    ['400 malformed-message', { 'ietf-interfaces:interface': [eth9], 'a:b': 1 }],
    ['400 malformed-message', { 'ietf-interfaces:interface': [eth9, { ...eth9, name: 'eth8' }] }],
    ['400 unknown-element', { 'ietf-interfaces:nothing': 1 }],
    ['400 unknown-element', { 'ietf-interfaces:interface': [{ ...eth9, colour: 'red' }] }],
    ['400 unknown-element', { 'ietf-interfaces:interface': [{ ...eth9, 'oper-status': 'up' }] }],
    ['400 unknown-element', { 'ietf-interfaces:interface': [{ ...eth9, ipv4: {} }] }],
    ['400 invalid-value', { 'ietf-interfaces:interface': [{ ...eth9, enabled: 'yes' }] }],
    ['400 invalid-value', { 'ietf-interfaces:interface': [{ ...eth9, type: 'ethernet' }] }],
    ['400 invalid-value', { 'ietf-interfaces:interface': eth9 }],
    ['400 missing-element', { 'ietf-interfaces:interface': [{ name: 'eth9' }] }],
    ['400 missing-element', { 'ietf-interfaces:interface': [{ type: eth9.type }] }],
  ];
  it('refuses invalid bodies, and changes nothing', async () => {
    const before = await get(LIST);
    for (const [expected, body] of BAD)
      assert.equal(await errorOf(`POST ${LIST}`, { body }), expected, JSON.stringify(body));
    assert.ok(isDeepStrictEqual(await get(LIST), before));
  });

  it('answers 415 to other media types (section 5.2)', async () => {
    for (const type of ['application/json', 'application/yang-data+xml', 'text/plain'])
      assert.equal(
        await errorOf(`POST ${LIST}`, { body: {}, headers: { 'content-type': type } }),
        '415 invalid-value',
      );
  });

  it('invokes an operation (section 4.4.2)', async () => {
    now += 5000;
    const reply = await call(`POST ${RPC}`, { body: { 'gatehouse-demo:input': { name: 'eth0' } } });
    assert.equal(reply.status, 200);
    const at = '2024-05-01T10:00:05.000Z';
    assert.deepEqual(valueOf(reply), { 'gatehouse-demo:output': { 'restarted-at': at } });
    assert.deepEqual(await get(`${LIST}/interface=eth0/last-change`), { 'ietf-interfaces:last-change': at });
    const unknown = { 'gatehouse-demo:input': { name: 'eth9' } };
    assert.equal(await errorOf(`POST ${RPC}`, { body: unknown }), '400 invalid-value');
  });
});
