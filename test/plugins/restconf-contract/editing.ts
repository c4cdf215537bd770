import assert from 'node:assert/strict';
import { headerOf } from '../../../src/core/adapter.js';
import { type Check, DATA, ETH0, GIGABIT, LIST, outcomeChecks, RESTART } from './device.js';

const ETH9 = { name: 'eth9', type: 'iana-if-type:ethernetCsmacd' };
const ETH8 = { ...ETH9, name: 'eth8' };
const entry = (more: object = {}): object => ({ 'ietf-interfaces:interface': [{ ...ETH9, ...more }] });

const ENTRY = { body: entry() };
const UPLINK = entry({ name: 'eth0' });
const EMPTY = { 'ietf-interfaces:interfaces': {} };
const UNKNOWN = `${LIST}/interface=eth8`;
const ENABLED = { 'ietf-interfaces:enabled': true };

const CHANGES: readonly Check[] = [
  {
    title: 'creates with POST: 201 and location (section 4.4.1)',
    async run({ call, get }) {
      const reply = await call(`POST ${LIST}`, { body: entry({ name: 'xe/9' }) });
      assert.equal(reply.status, 201, reply.body.toString());
      const location = headerOf(reply.headers, 'location') ?? '';
      assert.ok(location.endsWith(`${LIST}/interface=xe%2F9`), location);
      assert.equal(reply.body.length, 0);
      assert.equal(await get(`${LIST}/interface=xe%2F9`, '/ietf-interfaces:interface/0/name'), 'xe/9');
    },
  },
  {
    title: 'reports the default of a leaf that is not set',
    async run({ call, get }) {
      await call(`POST ${LIST}`, { body: entry() });
      assert.deepEqual(await get(`${LIST}/interface=eth9/enabled`), ENABLED);
    },
  },
  {
    title: 'replaces with PUT: 204, and removes what the body does not have',
    async run({ outcome }) {
      const path = `${LIST}/interface=eth9`;
      assert.equal(await outcome(`PUT ${path}`, { body: entry({ description: 'new' }) }), '201');
      assert.equal(await outcome(`PUT ${path}`, { body: entry() }), '204');
      assert.equal(await outcome(`GET ${path}/description`), '404 invalid-value');
    },
  },
  {
    title: 'replaces a leaf with PUT',
    async run({ outcome, get }) {
      const body = { 'ietf-interfaces:description': 'changed' };
      assert.equal(await outcome(`PUT ${ETH0}/description`, { body }), '204');
      assert.deepEqual(await get(`${ETH0}/description`), body);
    },
  },
  {
    title: 'merges with PATCH: 204 (section 4.6.1)',
    async run({ outcome, get }) {
      const body = { 'ietf-interfaces:interface': [{ name: 'eth0', enabled: false }] };
      assert.equal(await outcome(`PATCH ${ETH0}`, { body }), '204');
      assert.deepEqual(await get(`${ETH0}/enabled`), { 'ietf-interfaces:enabled': false });
      assert.deepEqual(await get(`${ETH0}/description`), {
        'ietf-interfaces:description': 'Uplink to core-1',
      });
    },
  },
  {
    title: 'merges nested lists with PATCH',
    async run({ outcome, get }) {
      const address = [{ ip: '192.0.2.9', 'prefix-length': 32 }];
      const body = {
        'ietf-interfaces:interfaces': { interface: [{ name: 'eth1', 'ietf-ip:ipv4': { address } }] },
      };
      assert.equal(await outcome(`PATCH ${LIST}`, { body }), '204');
      const found = await get(`${LIST}/interface=eth1/ietf-ip:ipv4`, '/ietf-ip:ipv4/address');
      assert.equal((found as readonly unknown[]).length, 2);
    },
  },
  {
    title: 'deletes a list entry: 204, then 404 (section 4.7)',
    async run({ outcome }) {
      assert.equal(await outcome(`DELETE ${GIGABIT}`), '204');
      assert.equal(await outcome(`DELETE ${GIGABIT}`), '404 invalid-value');
      assert.equal(await outcome(`GET ${GIGABIT}`), '404 invalid-value');
    },
  },
  {
    title: 'deletes a leaf',
    async run({ outcome }) {
      assert.equal(await outcome(`DELETE ${ETH0}/description`), '204');
      assert.equal(await outcome(`GET ${ETH0}/description`), '404 invalid-value');
    },
  },
  ...outcomeChecks([
    ['answers 409 to POST of a list entry that exists', `POST ${LIST}`, '409 data-exists', { body: UPLINK }],
    ['answers 409 to POST of a container that exists', `POST ${DATA}`, '409 data-exists', { body: EMPTY }],
    ['creates with PUT: 201 (section 4.5)', `PUT ${LIST}/interface=eth9`, '201', ENTRY],
    ['answers 400 to PUT of another entry than the path names', `PUT ${UNKNOWN}`, '400 invalid-value', ENTRY],
    [
      'answers 404 to PUT below a list entry that does not exist',
      `PUT ${UNKNOWN}/enabled`,
      '404 invalid-value',
      { body: ENABLED },
    ],
    ['creates no list entry with PATCH: 404', `PATCH ${LIST}/interface=eth9`, '404 invalid-value', ENTRY],
    ['answers 405 to DELETE of state', `DELETE ${GIGABIT}/oper-status`, '405 operation-not-supported'],
    ['answers 405 to DELETE of the key of a list', `DELETE ${GIGABIT}/name`, '405 operation-not-supported'],
    ['answers 405 to DELETE of the datastore', `DELETE ${DATA}`, '405 operation-not-supported'],
    ['answers 405 to PUT of the API resource', 'PUT /restconf', '405 operation-not-supported', { body: {} }],
  ]),
];

const BODIES: readonly (readonly [title: string, expected: string, body: unknown])[] = [
  ['that is cut off', '400 malformed-message', '{"ietf-interfaces:interface":'],
  ['that is an array', '400 malformed-message', '[]'],
  ['without a member', '400 malformed-message', {}],
  ['without a module', '400 malformed-message', { interface: [ETH9] }],
  ['with two members', '400 malformed-message', { ...entry(), 'a:b': 1 }],
  ['with two entries', '400 malformed-message', { 'ietf-interfaces:interface': [ETH9, ETH8] }],
  ['of an unknown node', '400 unknown-element', { 'ietf-interfaces:nothing': 1 }],
  ['with an unknown leaf', '400 unknown-element', entry({ colour: 'red' })],
  ['with state', '400 unknown-element', entry({ 'oper-status': 'up' })],
  ['with a node that lacks its module', '400 unknown-element', entry({ ipv4: {} })],
  ['with a value of another type', '400 invalid-value', entry({ enabled: 'yes' })],
  ['with an identity that lacks its module', '400 invalid-value', entry({ type: 'ethernet' })],
  ['with an object in place of a list', '400 invalid-value', { 'ietf-interfaces:interface': ETH9 }],
  ['without a mandatory leaf', '400 missing-element', { 'ietf-interfaces:interface': [{ name: 'eth9' }] }],
  ['without a key', '400 missing-element', { 'ietf-interfaces:interface': [{ type: ETH9.type }] }],
];

const REFUSALS: readonly Check[] = BODIES.map(([title, expected, body]) => ({
  title: `refuses a body ${title}, and changes nothing`,
  async run({ get, outcome }) {
    const before = await get(`${LIST}?content=config`);
    assert.equal(await outcome(`POST ${LIST}`, { body }), expected);
    assert.deepEqual(await get(`${LIST}?content=config`), before);
  },
}));

const TYPES = outcomeChecks(
  ['text/plain', 'application/yang-data+xml', 'application/json'].map((contentType) => [
    `answers 415 to a body of type ${contentType} (section 5.2)`,
    `POST ${LIST}`,
    '415 invalid-value',
    { body: {}, contentType },
  ]),
);

const OPERATIONS: readonly Check[] = [
  {
    title: 'calls an operation, and returns its output (section 4.4.2)',
    needs: 'output',
    async run({ call }) {
      const reply = await call(`POST ${RESTART}`, { body: { 'gatehouse-demo:input': { name: 'eth0' } } });
      assert.equal(reply.status, 200, reply.body.toString());
      assert.deepEqual(JSON.parse(reply.body.toString()), {
        'gatehouse-demo:output': { 'restarted-at': '2024-05-01T10:00:00.000Z' },
      });
    },
  },
  {
    title: 'answers 400 to an input that the operation refuses',
    needs: 'output',
    async run({ outcome }) {
      const body = { 'gatehouse-demo:input': { name: 'eth9' } };
      assert.equal(await outcome(`POST ${RESTART}`, { body }), '400 invalid-value');
    },
  },
];

/** Checks of what is changed and called. */
export const EDITING: readonly Check[] = [...CHANGES, ...REFUSALS, ...TYPES, ...OPERATIONS];
