import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { type ClientCase, kinds, replay, senders } from './replay.js';

const { string, bool, object, int, literal, exactly, model, listOf, someOf } = kinds;
const { ipctl, ipctlEmpty, ipsdk, ansible, requests } = senders;

/** An application as Go decodes it. */
const application = model({
  name: string,
  type: literal('Application'),
  model: string,
  properties: object,
  isEncrypted: bool,
  loggerProps: object,
});
const entry = model({ metadata: model({ isActive: bool, activeSync: bool }), data: application });
const done = model({ status: literal('OK', 'success'), message: string });
const get = (path: string) => ({ method: 'GET' as const, path, headers: ipctl });

const health = (state: string): Pick<ClientCase, 'request' | 'shows' | 'reply'> => ({
  request: { method: 'GET', path: '/health/applications?equals=JsonForms&equalsField=id', headers: ipsdk },
  shows: 'cookie',
  reply: model({
    total: exactly(1),
    results: someOf(model({ id: exactly('JsonForms'), state: exactly(state) })),
  }),
});
const verb = (word: string): Pick<ClientCase, 'request' | 'shows' | 'reply'> => ({
  request: { method: 'PUT', path: `/applications/JsonForms/${word}`, headers: ipsdk },
  shows: 'cookie',
  reply: object,
});

const cases: readonly ClientCase[] = [
  {
    name: 'ipctl get applications',
    request: get('/applications'),
    shows: 'cookie',
    reply: model({ results: { ...listOf(entry), minItems: 3 }, total: int }),
  },
  {
    name: 'ipctl describe application',
    request: get('/applications/JsonForms'),
    shows: 'cookie',
    reply: entry,
  },
  ...['stop', 'start', 'restart'].map((word) => ({
    name: `ipctl ${word} application: a PUT with a JSON content type and no body`,
    request: { method: 'PUT' as const, path: `/applications/JsonForms/${word}`, headers: ipctlEmpty },
    shows: 'cookie' as const,
    reply: done,
  })),
  { name: 'itential-mcp stop_application: reads the state RUNNING', ...health('RUNNING') },
  { name: '... stops it', ...verb('stop') },
  { name: '... and reads the state STOPPED', ...health('STOPPED') },
  {
    name: 'a client that calls the stopped application receives application_stopped',
    request: get('/json-forms/forms'),
    status: 503,
    type: 'application/problem+json',
    reply: model({ message: string, code: exactly('application_stopped') }),
  },
  { name: 'itential-mcp start_application: starts it', ...verb('start') },
  { name: '... and reads the state RUNNING', ...health('RUNNING') },
  {
    name: 'itential.platform restart_applications: sends the token in the query',
    request: { method: 'PUT', path: '/applications/JsonForms/restart', headers: ansible },
    shows: 'query',
    reply: done,
  },
  {
    name: 'a playbook of itential.toolkit restarts an unknown application, and reads the message',
    request: { method: 'PUT', path: '/applications/AGManager/restart' },
    shows: 'query',
    status: 404,
    type: 'application/problem+json',
    reply: model({ message: string }),
  },
  {
    name: 'iap-sdk lists the applications with a GET that has a body',
    request: {
      method: 'GET',
      path: '/applications',
      headers: requests,
      body: { queryOptions: { sort: 'package_id', limit: 50 } },
    },
    shows: 'cookie',
    reply: model({ results: listOf(entry), total: int }),
  },
  {
    name: 'itential.platform sets the log level of an application',
    request: { method: 'PUT', path: '/applications/JsonForms/loglevel', headers: ansible, body: { properties: { transport: 'console', level: 'debug' } } }, // prettier-ignore
    shows: 'query',
    reply: done,
  },
  {
    name: 'a client sends an application back unchanged',
    request: {
      method: 'PUT',
      path: '/applications/JsonForms',
      headers: ipctl,
      body: {
        properties: {
          name: 'JsonForms',
          type: 'Application',
          model: '@itential/json-forms',
          properties: {},
          isEncrypted: true,
          loggerProps: { console_level: 'info' },
        },
      },
    },
    reply: model({ status: exactly('OK'), message: string, data: application }),
  },
  {
    name: 'a client sends empty settings of an application',
    request: { method: 'PUT', path: '/applications/JsonForms/properties', headers: ipctl, body: { properties: {} } }, // prettier-ignore
    reply: done,
  },
  {
    name: 'a client sends settings, which no application has',
    request: { method: 'PUT', path: '/applications/JsonForms/properties', headers: ipctl, body: { properties: { a: 1 } } }, // prettier-ignore
    status: 400,
    type: 'application/problem+json',
    reply: model({ message: string }),
  },
  {
    name: 'the release notes at the path of the specification',
    request: get('/application/JsonForms/changelogs'),
    reply: model({ results: { type: 'array' }, total: int }),
  },
  {
    name: 'the release notes at the path that clients call',
    request: get('/applications/JsonForms/changelogs'),
    reply: model({ results: { type: 'array' }, total: int }),
  },
  {
    name: 'the schema of an application',
    request: get('/schema/applications/JsonForms'),
    reply: model({ schema: object, decorators: { type: 'array' } }),
  },
];

describe('clients that manage applications', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path });
  });
  after(() => testServer.close());

  replay(() => testServer, cases);
});
