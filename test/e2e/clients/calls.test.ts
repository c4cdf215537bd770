import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { type ClientCase, kinds, replay, senders } from './replay.js';

const { string, exactly, model, like } = kinds;
const { ipctl } = senders;

const INTERFACES = '/restconf/data/ietf-interfaces:interfaces';
const YANG_JSON = 'application/yang-data+json';
const problem = (code: string) =>
  model({ code: exactly(code), message: string, status: { type: 'integer' } });

const post = (path: string, body: object) => ({ method: 'POST' as const, path, headers: ipctl, body });
/** Calls an action as the documentation of the platform describes it: `{}` means no body. */
const act = (path: string, params: object, body: object = {}) =>
  post(path, { params: { path: `${INTERFACES}/interface=eth1`, accept: YANG_JSON, contentType: YANG_JSON, ...params }, body }); // prettier-ignore
/** Schema of a status, which is the complete result. */
const result = (status: string) => exactly([{ result: status }]);
const call = (more: object) =>
  post('/tools/restCall', { uri: '{inventory}/devices/r1', verb: 'GET', responseHeaders: false, ...more });

const cases: readonly ClientCase[] = [
  ...['/nso_manager', '/orchestrator_manager'].flatMap((prefix): readonly ClientCase[] => [
    {
      name: `a workflow sends a query below ${prefix}`,
      request: post(`${prefix}/restQuery/core1`, { params: { path: INTERFACES, accept: YANG_JSON } }),
      reply: model({ 'ietf-interfaces:interfaces': { type: 'object' } }),
    },
    {
      name: `a workflow sends an action below ${prefix}, with a lower-case method`,
      request: act(
        `${prefix}/restAction/core1`,
        { method: 'patch' },
        { 'ietf-interfaces:interface': [{ name: 'eth1', description: prefix }] },
      ),
      reply: result('204'),
    },
  ]),
  {
    name: 'a workflow sends an action with GET, and receives only the status',
    request: act('/nso_manager/restAction/core1', { method: 'GET' }),
    reply: result('200'),
  },
  {
    name: 'a workflow deletes a missing resource: a success with the result 404',
    request: act('/nso_manager/restAction/core1', { method: 'DELETE', path: `${INTERFACES}/interface=none` }),
    reply: result('404'),
  },
  {
    name: 'an action without a method is a POST',
    request: act('/nso_manager/restAction/core1', { path: INTERFACES }, { 'ietf-interfaces:interface': [{ name: 'eth9', type: 'iana-if-type:ethernetCsmacd' }] }), // prettier-ignore
    reply: result('201'),
  },
  {
    name: 'a query of a missing resource returns the reply of the orchestrator',
    request: post('/nso_manager/restQuery/core1', { params: { path: `${INTERFACES}/interface=none`, accept: YANG_JSON } }), // prettier-ignore
    status: 404,
    type: 'application/problem+json',
    reply: model({ message: string, upstream: model({ status: exactly(404) }) }),
  },
  {
    name: 'a query to an unknown adapter',
    request: post('/nso_manager/restQuery/Local NSO', { params: { path: INTERFACES, accept: YANG_JSON } }),
    status: 404,
    type: 'application/problem+json',
    reply: problem('adapter_not_found'),
  },
  {
    name: 'restCall returns the parsed JSON of the target',
    request: call({}),
    reply: exactly({ response: { name: 'r1', site: 'berlin' } }),
  },
  {
    name: '... with headers and status on request',
    request: call({ user: 'ada', password: 'pw-6e1d-of-ada', headers: { 'X-Trace': '1' }, responseHeaders: true }), // prettier-ignore
    reply: model({
      response: { type: 'object' },
      headers: model({ 'content-type': like('^application/json') }),
      statusCode: exactly(200),
    }),
  },
  {
    name: '... and is a success when the target answers 404',
    request: call({ uri: '{inventory}/devices/r9', responseHeaders: true }),
    reply: model({ response: exactly({ error: 'no such device' }), statusCode: exactly(404) }),
  },
  {
    name: 'restCall to a target that the egress policy denies',
    request: call({ uri: 'http://127.0.0.1:9/' }),
    status: 403,
    type: 'application/problem+json',
    reply: model({ message: string }),
  },
];

describe('clients that call orchestrators', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path });
  });
  after(() => testServer.close());

  replay(
    () => testServer,
    cases,
    () => ({ inventory: testServer.inventoryUrl }),
  );
});
