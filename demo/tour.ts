import type { Stop } from './stop.js';

const YANG_JSON = 'application/yang-data+json';
const ETH0 = '/restconf/data/ietf-interfaces:interfaces/interface=eth0';
const DESCRIPTION = 'uplink to core-2';

const query = (path: string): unknown => ({ params: { path, accept: YANG_JSON } });

/** An adapter for the same orchestrator, as a client registers it. */
const edge = (password: string): unknown => ({
  properties: {
    name: 'edge1',
    model: 'restconf',
    properties: {
      properties: {
        baseUrl: '{orchestrator}',
        tls: { caFile: '../orchestrator-ca.pem' },
        auth: { type: 'basic', username: 'gatehouse', password },
      },
    },
  },
});

/** The scripted tour: each step is one request and the expected reply. */
export const TOUR: readonly Stop[] = [
  {
    title: 'Anyone may query the health of the server, for example a load balancer.',
    request: { method: 'GET', path: '/health/status' },
    status: 200,
    contains: ['"adapters":"running"', '"services":[]'],
  },
  {
    title: 'restQuery: read an interface of the orchestrator, through the adapter "core1".',
    request: {
      method: 'POST',
      path: '/orchestrator_manager/restQuery/core1',
      role: 'admin',
      body: query(ETH0),
    },
    status: 200,
    contains: ['"ietf-interfaces:interface"', '"name":"eth0"'],
    lacks: [DESCRIPTION],
  },
  {
    title:
      'restAction: change its description (PATCH). The result is the status that the orchestrator answered.',
    request: {
      method: 'POST',
      path: '/orchestrator_manager/restAction/core1',
      role: 'admin',
      body: {
        params: { path: ETH0, accept: YANG_JSON, contentType: YANG_JSON, method: 'PATCH' },
        body: { 'ietf-interfaces:interface': [{ name: 'eth0', description: DESCRIPTION }] },
      },
    },
    status: 200,
    contains: ['[{"result":"204"}]'],
  },
  {
    title:
      'restQuery again: the change shows. (/nso_manager is the same service under the name that older clients use.)',
    request: { method: 'POST', path: '/nso_manager/restQuery/core1', role: 'admin', body: query(ETH0) },
    status: 200,
    contains: [DESCRIPTION],
  },
  {
    title: 'restQuery for a missing resource: the error of the orchestrator in plain text.',
    request: {
      method: 'POST',
      path: '/orchestrator_manager/restQuery/core1',
      role: 'admin',
      body: query('/restconf/data/ietf-interfaces:interfaces/interface=eth99'),
    },
    status: 404,
    contains: ['"code":"upstream_rejected"', 'invalid-value'],
  },
  {
    title: 'restCall: one call to any address that the egress policy allows.',
    request: {
      method: 'POST',
      path: '/tools/restCall',
      role: 'engineering',
      body: { uri: '{inventory}/devices/r1', verb: 'GET', responseHeaders: true },
    },
    status: 200,
    contains: ['"response":{"name":"r1"', '"statusCode":200'],
  },
  {
    title: 'restCall to an address outside of the policy is refused before anything is sent.',
    request: {
      method: 'POST',
      path: '/tools/restCall',
      role: 'engineering',
      body: { uri: 'http://169.254.169.254/latest/meta-data/', verb: 'GET', responseHeaders: false },
    },
    status: 403,
    contains: ['"code":"egress_denied"'],
  },
  {
    title: 'Without a token: 401.',
    request: { method: 'POST', path: '/orchestrator_manager/restQuery/core1', body: query(ETH0) },
    status: 401,
    contains: ['"code":"unauthorized"'],
  },
  {
    title: 'With a token of the wrong role: 403.',
    request: {
      method: 'POST',
      path: '/orchestrator_manager/restQuery/core1',
      role: 'engineering',
      body: query(ETH0),
    },
    status: 403,
    contains: ['"code":"forbidden"'],
  },
  {
    title: 'A path that would leave the orchestrator: 400 with the pointer.',
    request: {
      method: 'POST',
      path: '/orchestrator_manager/restQuery/core1',
      role: 'admin',
      body: query('/restconf/data/%2e%2e/%2e%2e/admin'),
    },
    status: 400,
    contains: ['"pointer":"/params/path"'],
  },
  {
    title: 'A second adapter, registered through the API. A password in plain text is refused.',
    request: { method: 'POST', path: '/adapters', role: 'admin', body: edge('not-in-vault') },
    status: 400,
    contains: [
      '"pointer":"/properties/properties/properties/auth/password"',
      '$VAULT_adapters/edge1#password',
    ],
  },
  {
    title: 'With a Vault reference the adapter serves as soon as its registration is answered.',
    request: {
      method: 'POST',
      path: '/adapters',
      role: 'admin',
      body: edge('$VAULT_adapters/core1#password'),
    },
    status: 200,
    contains: ['"status":"Created"'],
  },
  {
    title: 'restQuery through the new adapter.',
    request: {
      method: 'POST',
      path: '/orchestrator_manager/restQuery/edge1',
      role: 'admin',
      body: query(ETH0),
    },
    status: 200,
    contains: [DESCRIPTION],
  },
  {
    title: 'Suspend the adapter: it stays connected and refuses calls until it is started again.',
    request: { method: 'PUT', path: '/adapters/edge1/suspend', role: 'admin', body: { mode: 'error' } },
    status: 200,
    contains: ['its calls are refused'],
  },
  {
    title: 'A call to the suspended adapter.',
    request: {
      method: 'POST',
      path: '/orchestrator_manager/restQuery/edge1',
      role: 'admin',
      body: query(ETH0),
    },
    status: 503,
    contains: ['"code":"adapter_suspended"'],
  },
  {
    title: 'The audit trail names the caller of each change.',
    request: { method: 'GET', path: '/audit?operation=adapters.suspendAdapter&limit=1', role: 'admin' },
    status: 200,
    contains: ['"subject":"ada"', '"target":"/adapters/edge1/suspend"'],
  },
];
