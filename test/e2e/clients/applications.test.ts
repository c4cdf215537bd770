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
    name: `ipctl ${word} application: a PUT that says it is JSON, and has no body`,
    request: { method: 'PUT' as const, path: `/applications/JsonForms/${word}`, headers: ipctlEmpty },
    shows: 'cookie' as const,
    reply: done,
  })),
  { name: 'itential-mcp stop_application: sees that it runs', ...health('RUNNING') },
  { name: '... stops it', ...verb('stop') },
  { name: '... and sees it stopped', ...health('STOPPED') },
  {
    name: 'a client that calls the application meanwhile is told that it is stopped',
    request: get('/json-forms/forms'),
    status: 503,
    type: 'application/problem+json',
    reply: model({ message: string, code: exactly('application_stopped') }),
  },
  { name: 'itential-mcp start_application: starts it', ...verb('start') },
  { name: '... and sees it run', ...health('RUNNING') },
  {
    name: 'itential.platform restart_applications: the token in the query',
    request: { method: 'PUT', path: '/applications/JsonForms/restart', headers: ansible },
    shows: 'query',
    reply: done,
  },
  {
    name: 'a playbook of itential.toolkit restarts an application that is not here, and reads why not',
    request: { method: 'PUT', path: '/applications/AGManager/restart' },
    shows: 'query',
    status: 404,
    type: 'application/problem+json',
    reply: model({ message: string }),
  },
  {
    name: 'iap-sdk lists the applications, with a body on its GET',
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
    name: 'the level of the log lines, as for adapters',
    request: { method: 'PUT', path: '/applications/JsonForms/loglevel', headers: ansible, body: { properties: { transport: 'console', level: 'debug' } } }, // prettier-ignore
    shows: 'query',
    reply: done,
  },
  {
    name: 'an application is sent back as it was told',
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
    name: 'its settings are none, and may be said to be none',
    request: { method: 'PUT', path: '/applications/JsonForms/properties', headers: ipctl, body: { properties: {} } }, // prettier-ignore
    reply: done,
  },
  {
    name: 'release notes, at the path of the specification',
    request: get('/application/JsonForms/changelogs'),
    reply: model({ results: { type: 'array' }, total: int }),
  },
  {
    name: 'release notes, at the path that clients call',
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
  let world: TestServer;
  before(async () => {
    world = await startTestServer({ folder: temporaryFolder().path });
  });
  after(() => world.close());

  replay(() => world, cases);
});
