import assert from 'node:assert/strict';
import type { Route } from '../../support/server-calls.js';
import { adapterNamed, type OldReleaseServer, PASSWORD, SETTINGS } from './old-client.js';

/** Input, effect and reply of a deprecated operation. */
export interface OldCase {
  /** A route of the table of deprecations, with its parameter filled in. */
  readonly route: Route;
  readonly body?: unknown;
  /** Creates the state that the operation needs. */
  readonly arrange?: (testServer: OldReleaseServer) => Promise<unknown>;
  /** Members of the reply. */
  readonly reply?: unknown;
  /** Members of a reply that shows the effect, or its status. */
  readonly effect?: readonly [Route, unknown];
  /** Members of items that the reply, a list, contains. */
  readonly lists?: readonly unknown[];
  /** A route and the pointer of the value in its reply that the reply equals. */
  readonly equals?: readonly [Route, string];
  /** Checks more of the reply and of the effect. */
  readonly check?: (answer: never, testServer: OldReleaseServer) => unknown;
}

type Named = readonly { readonly name: string }[];
type Schemas = Readonly<Record<string, object>>;
type Document = Readonly<Record<string, unknown>>;

const OK = { status: 'OK' };
const CREATED = { status: 'Created' };

/** Creates profiles and activates one of them. */
const profiles =
  (...ids: readonly string[]) =>
  async ({ ask }: OldReleaseServer): Promise<void> => {
    for (const id of ids)
      await ask('POST /profiles', { properties: { id, description: `the profile ${id}` } });
    await ask(`PUT /profiles/${ids[0] ?? ''}/active`);
  };
const adapter =
  (name: string) =>
  ({ register }: OldReleaseServer) =>
    register(name);
const stoppedAdapter = (name: string) => async (testServer: OldReleaseServer) => {
  await testServer.register(name);
  await testServer.ask(`PUT /adapters/${name}/stop`);
};
/** The health of an adapter shows this state. */
const inState = (name: string, state: string) => [`GET /health/adapters/${name}`, { state }] as const;
const described = (id: string, description: string) =>
  [`GET /profiles/${id}`, { profile: { description } }] as const;
const schemaOf = async ({ ask }: OldReleaseServer, name: string) =>
  (await ask<{ schema: object }>(`GET /schema/adapters/${name}`)).schema;

/** Returns the case of an operation that answers OK. */
const changing = (
  route: Route,
  effect: NonNullable<OldCase['effect']>,
  more: Partial<OldCase> = {},
): OldCase => ({
  reply: OK,
  ...more,
  route,
  effect,
});

/** Independent cases: the names in each case are unique. */
export const OLD_CASES: readonly OldCase[] = [
  {
    route: 'GET /isAlive',
    async check(answer: Document, { ask }) {
      assert.deepEqual(
        { ...answer, timestamp: 0 },
        { ...(await ask<Document>('GET /status')), timestamp: 0 },
      );
    },
  },
  changing('DELETE /config/profile/delete/spare', ['GET /profiles/spare', 404], {
    arrange: profiles('kept', 'spare'),
  }),
  changing('DELETE /config/services/delete/gone-1', ['GET /adapters/gone-1', 404], {
    arrange: adapter('gone-1'),
  }),
  changing('DELETE /providers/gone-2', ['GET /adapters/gone-2', 404], { arrange: adapter('gone-2') }),
  { route: 'GET /config/active_services', lists: ['core1', 'JsonForms'] },
  {
    route: 'GET /config/active_adapters',
    arrange: async (testServer) => {
      await testServer.register('left-out');
      await testServer.ask('POST /profiles', { properties: { id: 'few', services: ['core1'] } });
      await testServer.ask('PUT /profiles/few/active');
    },
    async check(names: readonly string[], { ask }) {
      assert.deepEqual(names, ['core1']);
      await ask('PUT /profiles/few', { properties: { services: [] } });
    },
  },
  {
    route: 'GET /config/profiles',
    arrange: profiles('list-1', 'list-2'),
    lists: [{ id: 'list-1' }, { id: 'list-2' }],
  },
  {
    route: 'GET /config/profiles/sync',
    arrange: profiles('sync-1', 'sync-2'),
    lists: [
      { id: 'sync-1', isActive: true, activeSync: true },
      { id: 'sync-2', isActive: false, activeSync: false },
    ],
  },
  {
    route: 'GET /config/property',
    arrange: profiles('property'),
    reply: { id: 'property', description: 'the profile property', loggerProps: {} },
  },
  {
    route: 'GET /config/property/id/one',
    arrange: profiles('other', 'one'),
    reply: { id: 'one', description: 'the profile one' },
  },
  {
    route: 'GET /config/property/schema',
    reply: { properties: {} },
    equals: ['GET /schema/profiles', '/schema'],
  },
  {
    route: 'GET /config/services',
    async check(all: Named, { ask }) {
      const [core1] = all.filter(({ name }) => name === 'core1');
      assert.deepEqual(core1, (await ask<{ data: object }>('GET /adapters/core1')).data);
      assert.ok(all.some(({ name }) => name === 'Tools'));
    },
  },
  {
    route: 'GET /config/services/schema',
    reply: { JsonForms: {} },
    async check(schemas: Schemas, testServer) {
      assert.deepEqual(schemas['core1'], await schemaOf(testServer, 'core1'));
    },
  },
  {
    route: 'GET /config/services/sync',
    lists: ['Adapter core1', 'Application Tools'].map((text) => {
      const [type, name] = text.split(' ');
      return { name, type, isActive: true, activeSync: true };
    }),
  },
  {
    route: 'GET /health/modules',
    lists: ['Adapter core1', 'Application JsonForms'].map((text) => {
      const [type, id] = text.split(' ');
      return { id, type, state: 'RUNNING' };
    }),
  },
  changing(
    'GET /health/module/JsonForms',
    ['GET /health/module/core1', { id: 'core1', connection: { state: 'UNKNOWN' } }],
    { reply: { id: 'JsonForms', type: 'Application' } },
  ),
  {
    route: 'GET /modules/stop/halt',
    arrange: adapter('halt'),
    reply: OK,
    effect: inState('halt', 'STOPPED'),
    async check(_answer, { ask }) {
      await ask('GET /modules/stop/JsonForms');
      const { state } = await ask<{ state: string }>('GET /health/applications/JsonForms');
      assert.equal(state, 'STOPPED');
      await ask('GET /modules/start/JsonForms');
    },
  },
  changing('GET /modules/start/begin', inState('begin', 'RUNNING'), { arrange: stoppedAdapter('begin') }),
  changing('GET /modules/restart/again', inState('again', 'RUNNING'), {
    arrange: stoppedAdapter('again'),
    reply: { message: /restarted again/ },
  }),
  {
    route: 'GET /providers',
    arrange: adapter('a-provider'),
    lists: ['a-provider', 'core1'],
    check(names: readonly string[]) {
      assert.deepEqual(names, [...names].sort());
    },
  },
  {
    route: 'GET /providers/shown',
    arrange: adapter('shown'),
    check(provider: Document) {
      const model = '@gatehouse/adapter-http-rest';
      const expected = {
        id: 'shown',
        type: 'http-rest',
        model,
        brokers: [],
        groups: [],
        properties: SETTINGS,
      };
      assert.deepEqual(provider, expected);
    },
  },
  { route: 'GET /providers/core1/schema', equals: ['GET /schema/adapters/core1', '/schema'] },
  {
    route: 'GET /providers/schema',
    async check(schemas: Schemas, testServer) {
      const { adapterModels } = await testServer.ask<{ adapterModels: string[] }>(
        'GET /adapter-models/types',
      );
      assert.deepEqual(Object.keys(schemas).sort(), adapterModels);
      assert.deepEqual(schemas['restconf'], await schemaOf(testServer, 'restconf'));
    },
  },
  changing('POST /config/profile/add', described('added', 'by an old client'), {
    body: { id: 'added', description: 'by an old client' },
    reply: CREATED,
  }),
  changing(
    'POST /config/profiles/change',
    ['GET /profiles/chosen', { metadata: { isActive: true, activeSync: true } }],
    { body: { id: 'chosen' }, arrange: profiles('former', 'chosen') },
  ),
  {
    route: 'POST /config/property/new',
    body: { property_obj: { id: 'fresh', description: 'made by an old client' } },
    reply: CREATED,
    effect: described('fresh', 'made by an old client'),
    async check(_answer, { ask }) {
      await ask('POST /config/property/new', { property_obj: { id: 'fresh', description: 'and changed' } });
      assert.equal((await ask<Document>('GET /config/property/id/fresh'))['description'], 'and changed');
    },
  },
  {
    route: 'POST /config/property/update',
    body: { property_obj: { description: 'updated by an old client' } },
    arrange: profiles('active-one', 'idle-one'),
    reply: OK,
    effect: described('active-one', 'updated by an old client'),
    async check(_answer, { ask }) {
      // The pages of the old platform sent back the complete profile.
      const idle = () => ask<Document>('GET /config/property/id/idle-one');
      await ask('POST /config/property/update', {
        property_obj: { ...(await idle()), description: 'whole' },
      });
      assert.equal((await idle())['description'], 'whole');
    },
  },
  changing('POST /config/services/create', inState('made', 'RUNNING'), {
    body: adapterNamed('made'),
    reply: CREATED,
  }),
  {
    route: 'POST /config/services/save',
    body: { name: 'saved', properties: { properties: { ...SETTINGS, replyBytes: 1234 } } },
    arrange: adapter('saved'),
    reply: OK,
    effect: ['GET /adapters/saved', { data: { properties: { properties: { replyBytes: 1234 } } } }],
    async check(_answer, { ask }) {
      const loggerProps = { console_level: 'debug' };
      await ask('POST /config/services/save', { name: 'Tools', type: 'Application', loggerProps });
      const { data } = await ask<{ data: { loggerProps: Document } }>('GET /applications/Tools');
      assert.equal(data.loggerProps['console_level'], 'debug');
    },
  },
  {
    route: 'POST /modules/load',
    body: { module: 'loaded' },
    arrange: async (testServer) => {
      await stoppedAdapter('loaded')(testServer);
      await testServer.ask('PUT /applications/JsonForms/stop');
    },
    reply: OK,
    effect: inState('loaded', 'RUNNING'),
    async check(_answer, { ask, call }) {
      await ask('POST /modules/load', { module: 'JsonForms' });
      const { state } = await ask<{ state: string }>('GET /health/applications/JsonForms');
      assert.equal(state, 'RUNNING');
      const plugin = await call('POST /modules/load', { body: { module: 'http-rest' } });
      assert.equal(plugin.status, 404);
      assert.match(plugin.text, /\\"http-rest\\" is a plugin.*POST \/adapters/);
      assert.equal((await call('POST /modules/load', { body: { module: 'nothing' } })).status, 404);
    },
  },
  changing('POST /modules/setLogging', ['GET /health/adapters/loud', { logger: { console: 'debug' } }], {
    body: { module: 'loud', transport: 'console', level: 'debug' },
    arrange: adapter('loud'),
  }),
  {
    route: 'POST /providers/schema/update',
    equals: ['GET /providers/schema', ''],
    async check(schemas: Schemas, { ask }) {
      assert.deepEqual(await ask('POST /providers/schema/update', { id: 'restconf' }), schemas['restconf']);
    },
  },
  {
    route: 'POST /appUpdate/changeLog/',
    body: { module: 'core1' },
    equals: ['GET /adapters/core1/changelogs', '/results'],
    async check(releases: readonly object[], { ask }) {
      assert.ok(releases.length > 0);
      assert.deepEqual(await ask('POST /appUpdate/changeLog', { module: 'core1', release: '0.0.0' }), []);
    },
  },
  {
    route: 'POST /getActiveSessions',
    arrange: ({ call }) => call('POST /login', { body: { username: 'grace', password: PASSWORD } }),
    reply: [{ user: 'grace', token: /^.{8}\.\.\.$/ }],
    async check(sessions: readonly object[], { call, ask }) {
      const { text } = await call('POST /login', { body: { username: 'grace', password: PASSWORD } });
      const after = await ask<readonly object[]>('POST /getActiveSessions', {});
      assert.ok(after.length > sessions.length);
      assert.ok(!JSON.stringify(after).includes(text), 'a token is shown');
    },
  },
  {
    route: 'PUT /providers/put',
    body: { id: 'put', type: 'http-rest', properties: SETTINGS },
    reply: CREATED,
    effect: inState('put', 'RUNNING'),
    async check(_answer, { ask }) {
      const shown = await ask<Document>('GET /providers/put');
      const properties = { ...SETTINGS, replyBytes: 4321 };
      const changed = await ask<{ status: string }>('PUT /providers/put', {
        ...shown,
        properties,
        _id: '5e',
      });
      assert.equal(changed.status, 'OK');
      assert.deepEqual(await ask('GET /providers/put'), { ...shown, properties });
    },
  },
];
