import assert from 'node:assert/strict';
import { headerOf } from '../../../src/core/adapter.js';
import { type Check, DATA, ETH0, GIGABIT, LIST, outcomeChecks, RESTART, valueCheck, YANG } from './device.js';

const NAMES = ['GigabitEthernet0/1', 'eth0', 'eth1', 'lo0'];

function namesIn(list: unknown): readonly string[] {
  return (list as readonly { readonly name: string }[]).map(({ name }) => name).sort();
}

async function membersOf(get: (path: string, pointer: string) => Promise<unknown>, content: string) {
  const entry = await get(`${GIGABIT}?content=${content}`, '/ietf-interfaces:interface/0');
  return Object.keys(entry as object).sort();
}

const RESOURCES: readonly Check[] = [
  {
    title: 'returns the API resource (section 3.3)',
    async run({ get }) {
      const root = (await get('/restconf', '/ietf-restconf:restconf')) as Readonly<Record<string, unknown>>;
      assert.deepEqual(root['data'], {});
      assert.ok('operations' in root);
    },
  },
  {
    title: 'lists the operations (section 3.3.2)',
    async run({ get }) {
      const operations = await get('/restconf/operations', '/ietf-restconf:operations');
      assert.deepEqual((operations as Record<string, unknown>)['gatehouse-demo:restart-interface'], [null]);
    },
  },
  {
    title: 'returns the version of the YANG library (section 3.3.3)',
    async run({ get }) {
      const version = await get('/restconf/yang-library-version', '/ietf-restconf:yang-library-version');
      assert.match(String(version), /^\d{4}-\d\d-\d\d$/);
    },
  },
  {
    title: 'returns a container with its list',
    async run({ get }) {
      assert.deepEqual(namesIn(await get(LIST, '/ietf-interfaces:interfaces/interface')), NAMES);
    },
  },
  {
    title: 'returns the whole datastore (section 3.3.1)',
    async run({ get }) {
      const list = await get(DATA, '/ietf-restconf:data/ietf-interfaces:interfaces/interface');
      assert.deepEqual(namesIn(list), NAMES);
    },
  },
  {
    title: 'returns a list entry by its percent-encoded key (section 3.5.3)',
    async run({ get }) {
      assert.equal(await get(GIGABIT, '/ietf-interfaces:interface/0/name'), 'GigabitEthernet0/1');
    },
  },
  valueCheck('returns a leaf with text', `${ETH0}/description`, {
    'ietf-interfaces:description': 'Uplink to core-1',
  }),
  valueCheck('returns a leaf with a Boolean', `${GIGABIT}/enabled`, { 'ietf-interfaces:enabled': false }),
  valueCheck('returns a leaf with an identity (RFC 7951 section 6.8)', `${ETH0}/type`, {
    'ietf-interfaces:type': 'iana-if-type:ethernetCsmacd',
  }),
  valueCheck(
    'returns a leaf of a nested list in another module',
    `${ETH0}/ietf-ip:ipv4/address=198.51.100.2/prefix-length`,
    { 'ietf-ip:prefix-length': 24 },
  ),
  valueCheck('takes paths without the root', ETH0.replace('/restconf', '') + '/enabled', {
    'ietf-interfaces:enabled': true,
  }),
];

const MISSING = outcomeChecks([
  ['answers 404 below no resource', 'GET /restconf/nothing', '404 invalid-value'],
  ['answers 404 for a list entry that does not exist', `GET ${LIST}/interface=eth7`, '404 invalid-value'],
  ['answers 404 for a leaf without a value', `GET ${ETH0}/ietf-ip:ipv4/mtu`, '404 invalid-value'],
  ['answers 404 for an operation that does not exist', 'GET /restconf/operations/a:b', '404 invalid-value'],
  ['answers 404 for a node that no module has', `GET ${LIST}/nothing`, '404 invalid-value'],
  ['answers 404 for a node at the top without its module', `GET ${DATA}/interfaces`, '404 invalid-value'],
  ['answers 404 below a leaf', `GET ${ETH0}/description/x`, '404 invalid-value'],
  [
    'answers 404 for configuration if only state is wanted',
    `GET ${GIGABIT}/enabled?content=nonconfig`,
    '404 invalid-value',
  ],
  ['answers 400 for too many keys', `GET ${LIST}/interface=a,b`, '400 malformed-message'],
  ['answers 400 for an invalid percent-encoding', `GET ${LIST}/interface=%zz`, '400 malformed-message'],
  [
    'answers 400 for a list without keys inside of a path',
    `GET ${LIST}/interface/name`,
    '400 malformed-message',
  ],
  ['answers 400 for keys of a container', `GET ${LIST}=a`, '400 malformed-message'],
  ['answers 400 to a query of a change', `DELETE ${GIGABIT}?depth=1`, '400 invalid-value'],
  ['answers 405 to GET of an operation', `GET ${RESTART}`, '405 operation-not-supported'],
]);

const QUERIES: readonly Check[] = [
  valueCheck('limits the depth to 1 (section 4.8.2)', `${LIST}?depth=1`, {
    'ietf-interfaces:interfaces': {},
  }),
  valueCheck('limits the depth to 2', `${LIST}?depth=2`, {
    'ietf-interfaces:interfaces': { interface: [{}, {}, {}, {}] },
  }),
  {
    title: 'limits the depth to 3',
    async run({ get }) {
      const list = await get(`${LIST}?depth=3`, '/ietf-interfaces:interfaces/interface');
      assert.deepEqual(namesIn(list), NAMES);
    },
  },
  {
    title: 'returns configuration alone (section 4.8.1)',
    async run({ get }) {
      assert.deepEqual(await membersOf(get, 'config'), ['description', 'enabled', 'name', 'type']);
    },
  },
  {
    title: 'returns state alone, with the keys of lists',
    needs: 'state',
    async run({ get }) {
      const state = 'admin-status if-index last-change name oper-status phys-address speed statistics';
      assert.deepEqual(await membersOf(get, 'nonconfig'), state.split(' '));
    },
  },
  {
    title: 'returns configuration and state together',
    needs: 'state',
    async run({ get }) {
      assert.equal((await membersOf(get, 'all')).length, 11);
    },
  },
  ...outcomeChecks(
    ['depth=0', 'depth=x', 'depth=65536', 'content=x', 'depth=1&depth=2', 'unknown=1', 'fields=name'].map(
      (query) => [`answers 400 to the query ${query}`, `GET ${LIST}?${query}`, '400 invalid-value'],
    ),
  ),
];

const FORMS: readonly Check[] = [
  ...['application/json', YANG, '*/*', `text/plain, ${YANG};q=0.9`].map((accept): Check => ({
    title: `answers YANG data to a caller that accepts ${accept} (section 5.2)`,
    async run({ call }) {
      const reply = await call(`GET ${GIGABIT}`, { accept });
      assert.equal(reply.status, 200);
      assert.equal(headerOf(reply.headers, 'content-type'), YANG);
    },
  })),
  ...outcomeChecks(
    ['text/plain', 'application/yang-data+xml'].map((accept) => [
      `answers 406 to a caller that accepts ${accept}`,
      `GET ${GIGABIT}`,
      '406 invalid-value',
      { accept },
    ]),
  ),
];

/** Checks of what is read. */
export const READING: readonly Check[] = [...RESOURCES, ...MISSING, ...QUERIES, ...FORMS];
