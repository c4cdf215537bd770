import type { Stop } from './stop.js';

const YANG_JSON = 'application/yang-data+json';
const ETH0 = '/restconf/data/ietf-interfaces:interfaces/interface=eth0';
const DESCRIPTION = 'uplink to core-2';

const query = (path: string): unknown => ({ params: { path, accept: YANG_JSON } });

/** The scripted tour: each stop is one request, and what its answer must be. */
export const TOUR: readonly Stop[] = [
  {
    title: 'Anyone may ask whether it runs (the probe of a load balancer).',
    request: { method: 'GET', path: '/health/status' },
    status: 200,
    contains: ['"adapters":"running"', '"service":"vault","status":"running"'],
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
    title: 'restQuery for what is not there: the error of the orchestrator, in plain words.',
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
    title: 'restCall to an address that the policy does not name is refused before anything is sent.',
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
];
