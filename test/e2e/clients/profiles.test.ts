import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../src/core/schema.js';
import { callUrl } from '../../support/call.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { type ClientCase, kinds, replay } from './replay.js';

const { string, bool, object, int, literal, model, listOf } = kinds;

const all = (names: readonly string[], kind: JsonSchema) =>
  Object.fromEntries(names.map((name) => [name, kind]));

/** Members that `ipctl` decodes individually. */
const UI = [
  ...['description', 'layout', 'home', 'login', 'profile', 'user_config', 'group_config'],
  ...['new_user', 'edit_user', 'new_group', 'fav_icon', 'apple_touch_icon'],
];

/** Members that `ipctl` decodes as maps. */
const MAPS = [
  ...['authenticationProps', 'expressProps', 'loggerProps', 'auditProps', 'pathProps', 'taskWorkerProps'],
  ...['redisProps', 'systemProps', 'integrationProps', 'prebuiltProps', 'retryStrategy'],
  ...['adapterStrategy', 'adapterProps'],
];

/** Members of a complete profile, as `ipctl` decodes it into Go structs. */
const profileMembers = {
  id: string,
  description: string,
  launchDelay: int,
  launchTimeout: int,
  applicationProps: model({ directory: string }),
  uiProps: model(all(UI, string)),
  ...all(MAPS, object),
  alarmProps: listOf(object),
  services: listOf(string),
};
const profile = model(profileMembers);
const created = model({ ...profileMembers, _id: { type: 'string', pattern: '^[0-9a-f]{24}$' } });
const metadata = model({ isActive: bool, activeSync: bool });
const listed = model({ metadata, profile });
const done = model({ status: literal('OK'), message: string });

/** Headers that `ipctl` sends with every request, with or without a body. */
const headers = { accept: 'application/json', 'content-type': 'application/json' };

/** Returns the body of a create request: only ID and description; the server adds the other members. */
const create = (id: string) => ({ properties: { id, description: '' } });

/** The complete struct as Go writes it: zero numbers, empty strings, and only non-empty maps. */
const imported = {
  properties: {
    id: 'imported',
    description: '',
    launchDelay: 0,
    launchTimeout: 0,
    applicationProps: { directory: '' },
    uiProps: Object.fromEntries(UI.map((name) => [name, ''])),
    alarmProps: [
      {
        ip: '127.0.0.1',
        community: 'public',
        type: 'trap',
        properties: { retries: 1, timeout: 5000, transport: 'udp4', trapPort: 162, version: 'V1' },
      },
    ],
    redisProps: { host: 'localhost', port: 6379, db: 0 },
    services: ['core1', 'WorkFlowEngine'],
  },
};

const cases: readonly ClientCase[] = [
  {
    name: 'ipctl create profile',
    request: { method: 'POST', path: '/profiles', headers, body: create('test') },
    reply: model({
      status: literal('Created'),
      message: literal('Successfully created test.'),
      data: created,
    }),
  },
  {
    name: 'ipctl create profile with an existing name',
    request: { method: 'POST', path: '/profiles', headers, body: create('test') },
    status: 409,
    reply: literal('test already exists!'),
  },
  {
    name: 'ipctl get profiles',
    request: { method: 'GET', path: '/profiles', headers },
    reply: model({ results: { ...listOf(listed), minItems: 1 }, total: int }),
  },
  {
    name: 'ipctl describe profile, and ipctl export profile',
    request: { method: 'GET', path: '/profiles/test', headers },
    reply: listed,
  },
  {
    name: 'ipctl import profile: searches for the name first',
    request: { method: 'GET', path: '/profiles/imported', headers },
    status: 404,
    reply: literal('Profile not found.'),
  },
  {
    name: 'ipctl import profile',
    request: { method: 'POST', path: '/profiles/import', headers, body: imported },
    reply: model({ status: literal('Created'), message: string, data: created }),
  },
  {
    name: 'ipctl load profiles with an existing name: skips the file, because the body ends in already exists!"',
    request: { method: 'POST', path: '/profiles/import', headers, body: imported },
    status: 409,
    reply: literal('imported already exists!'),
  },
  {
    name: 'the documented export: returns only the profile',
    request: { method: 'GET', path: '/profiles/imported/export', headers },
    reply: { ...profile, properties: { ...profileMembers, profile: false, metadata: false } },
  },
  {
    name: 'an update with the wrapper object of the platform',
    request: {
      method: 'PUT',
      path: '/profiles/imported',
      headers,
      body: { properties: { description: 'x', services: null } },
    },
    reply: model({ status: literal('OK'), message: string, data: profile }),
  },
  {
    name: 'ipctl load profile: activates it with a PUT without a body',
    request: {
      method: 'PUT',
      path: '/profiles/imported/active',
      headers: { ...headers, 'content-length': '0' },
    },
    reply: done,
  },
  {
    name: 'ipctl delete profile for the active profile',
    request: { method: 'DELETE', path: '/profiles/imported', headers },
    status: 409,
    type: 'application/problem+json',
    reply: model({ message: string }),
  },
  {
    name: 'ipctl delete profile',
    request: { method: 'DELETE', path: '/profiles/test', headers },
    reply: model({ status: literal('OK'), message: literal('Successfully deleted test.') }),
  },
  {
    name: 'ipctl delete profile for an unknown profile',
    request: { method: 'DELETE', path: '/profiles/test', headers },
    status: 404,
    reply: literal('Profile: test does not exist!'),
  },
];

describe('clients that manage profiles', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path });
  });
  after(() => testServer.close());

  replay(
    () => testServer,
    cases.map((one) => ({ shows: 'cookie', ...one })),
  );

  it('find the active profile in the list, as ipctl does', async () => {
    const { json } = await callUrl(`${testServer.url}/profiles`, {
      method: 'GET',
      headers,
      token: testServer.issueToken('admin'),
    });
    const { results } = json as {
      results: readonly { metadata: { isActive: boolean }; profile: { id: string } }[];
    };
    const active = results.filter(({ metadata }) => metadata.isActive).map(({ profile: { id } }) => id);
    assert.deepEqual(active, ['imported']);
  });
});
