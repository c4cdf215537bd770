import assert from 'node:assert/strict';
import { adapterNamed, type OldReleaseServer, PASSWORD, settings } from './old-client.js';

/** Input, effect and reply of a deprecated operation. */
export interface OldCase {
  /** Route of the table of deprecations. */
  readonly route: string;
  /** The route with its parameter filled in; absent for a route without a parameter. */
  readonly asked?: string;
  readonly body?: unknown;
  /** Creates the state that the operation needs. */
  readonly arrange?: (testServer: OldReleaseServer) => Promise<unknown>;
  /** Checks the reply and the effect. */
  readonly check: (answer: never, testServer: OldReleaseServer) => unknown;
}

type Named = readonly { readonly name: string }[];
interface Done {
  readonly status: string;
  readonly message: string;
}
type Document = Readonly<Record<string, unknown>>;

/** Creates profiles and activates one of them. */
async function profiles({ ask }: OldReleaseServer, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await ask('POST /profiles', { properties: { id, description: `the profile ${id}` } });
  await ask(`PUT /profiles/${ids[0] ?? ''}/active`);
}

async function stateOf({ ask }: OldReleaseServer, name: string, kind = 'adapters'): Promise<string> {
  return (await ask<{ state: string }>(`GET /health/${kind}/${name}`)).state;
}

async function statusOf({ call }: OldReleaseServer, route: string): Promise<number> {
  return (await call(route)).status;
}

const descriptionOf = async ({ ask }: OldReleaseServer, id: string) =>
  (await ask<{ profile: Document }>(`GET /profiles/${id}`)).profile['description'];

/** Independent cases: the names in each case are unique. */
export const OLD_CASES: readonly OldCase[] = [
  {
    route: 'GET /isAlive',
    async check(answer: Document, { ask }) {
      const now = await ask<Document>('GET /status');
      assert.deepEqual({ ...answer, timestamp: 0 }, { ...now, timestamp: 0 });
    },
  },
  {
    route: 'DELETE /config/profile/delete/:id',
    asked: 'DELETE /config/profile/delete/spare',
    arrange: (testServer) => profiles(testServer, 'kept', 'spare'),
    async check({ status }: Done, testServer) {
      assert.deepEqual([status, await statusOf(testServer, 'GET /profiles/spare')], ['OK', 404]);
    },
  },
  {
    route: 'DELETE /config/services/delete/:name',
    asked: 'DELETE /config/services/delete/gone-1',
    arrange: ({ register }) => register('gone-1'),
    async check({ status }: Done, testServer) {
      assert.deepEqual([status, await statusOf(testServer, 'GET /adapters/gone-1')], ['OK', 404]);
    },
  },
  {
    route: 'DELETE /providers/:id',
    asked: 'DELETE /providers/gone-2',
    arrange: ({ register }) => register('gone-2'),
    async check({ status }: Done, testServer) {
      assert.deepEqual([status, await statusOf(testServer, 'GET /adapters/gone-2')], ['OK', 404]);
    },
  },
  {
    route: 'GET /config/active_services',
    check(names: readonly string[]) {
      assert.ok(names.includes('core1') && names.includes('JsonForms'), String(names));
    },
  },
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
    arrange: (testServer) => profiles(testServer, 'list-1', 'list-2'),
    check(all: readonly Document[]) {
      const ids = all.map(({ id }) => id);
      assert.ok(ids.includes('list-1') && ids.includes('list-2'), String(ids));
    },
  },
  {
    route: 'GET /config/profiles/sync',
    arrange: (testServer) => profiles(testServer, 'sync-1', 'sync-2'),
    check(all: readonly Document[]) {
      const found = all.filter(({ id }) => String(id).startsWith('sync-'));
      assert.deepEqual(found, [
        { id: 'sync-1', isActive: true, activeSync: true },
        { id: 'sync-2', isActive: false, activeSync: false },
      ]);
    },
  },
  {
    route: 'GET /config/property',
    arrange: (testServer) => profiles(testServer, 'property'),
    check({ id, description, loggerProps }: Document) {
      assert.deepEqual([id, description, typeof loggerProps], ['property', 'the profile property', 'object']);
    },
  },
  {
    route: 'GET /config/property/id/:id',
    asked: 'GET /config/property/id/one',
    arrange: (testServer) => profiles(testServer, 'other', 'one'),
    check({ id, description }: Document) {
      assert.deepEqual([id, description], ['one', 'the profile one']);
    },
  },
  {
    route: 'GET /config/property/schema',
    async check(schema: Document, { ask }) {
      assert.deepEqual(schema, (await ask<{ schema: object }>('GET /schema/profiles')).schema);
      assert.equal(typeof schema['properties'], 'object');
    },
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
    async check(schemas: Readonly<Record<string, object>>, { ask }) {
      assert.deepEqual(
        schemas['core1'],
        (await ask<{ schema: object }>('GET /schema/adapters/core1')).schema,
      );
      assert.equal(typeof schemas['JsonForms'], 'object');
    },
  },
  {
    route: 'GET /config/services/sync',
    check(all: Named) {
      const [core1] = all.filter(({ name }) => name === 'core1');
      assert.deepEqual(core1, { name: 'core1', type: 'Adapter', isActive: true, activeSync: true });
      assert.ok(all.some(({ name }) => name === 'Tools'));
    },
  },
  {
    route: 'GET /health/modules',
    check(all: readonly { id: string; type: string; state: string; memoryUsage: { rss: number } }[]) {
      const found = all.filter(({ id }) => ['core1', 'JsonForms'].includes(id));
      assert.deepEqual(
        found.map(({ id, type, state }) => [id, type, state]),
        [
          ['core1', 'Adapter', 'RUNNING'],
          ['JsonForms', 'Application', 'RUNNING'],
        ],
      );
      assert.ok(found.every(({ memoryUsage }) => memoryUsage.rss > 0));
    },
  },
  {
    route: 'GET /health/module/:module',
    asked: 'GET /health/module/JsonForms',
    async check({ id, type }: Document, testServer) {
      assert.deepEqual([id, type], ['JsonForms', 'Application']);
      const adapter = await testServer.ask<Document>('GET /health/module/core1');
      assert.deepEqual([adapter['id'], adapter['connection']], ['core1', { state: 'UNKNOWN' }]);
    },
  },
  {
    route: 'GET /modules/stop/:module',
    asked: 'GET /modules/stop/halt',
    arrange: ({ register }) => register('halt'),
    async check({ status }: Done, testServer) {
      assert.deepEqual([status, await stateOf(testServer, 'halt')], ['OK', 'STOPPED']);
      await testServer.ask('GET /modules/stop/JsonForms');
      assert.equal(await stateOf(testServer, 'JsonForms', 'applications'), 'STOPPED');
      await testServer.ask('GET /modules/start/JsonForms');
    },
  },
  {
    route: 'GET /modules/start/:module',
    asked: 'GET /modules/start/begin',
    arrange: async ({ register, ask }) => {
      await register('begin');
      await ask('PUT /adapters/begin/stop');
    },
    async check({ status }: Done, testServer) {
      assert.deepEqual([status, await stateOf(testServer, 'begin')], ['OK', 'RUNNING']);
    },
  },
  {
    route: 'GET /modules/restart/:module',
    asked: 'GET /modules/restart/again',
    arrange: async ({ register, ask }) => {
      await register('again');
      await ask('PUT /adapters/again/stop');
    },
    async check({ message }: Done, testServer) {
      assert.match(message, /restarted again/);
      assert.equal(await stateOf(testServer, 'again'), 'RUNNING');
    },
  },
  {
    route: 'GET /providers',
    arrange: ({ register }) => register('a-provider'),
    check(names: readonly string[]) {
      assert.ok(names.includes('a-provider') && names.includes('core1'), String(names));
      assert.deepEqual(names, [...names].sort());
    },
  },
  {
    route: 'GET /providers/:id',
    asked: 'GET /providers/shown',
    arrange: ({ register }) => register('shown'),
    check(provider: Document) {
      const expected = {
        id: 'shown',
        type: 'http-rest',
        model: '@gatehouse/adapter-http-rest',
        brokers: [],
        groups: [],
      };
      assert.deepEqual(provider, { ...expected, properties: settings() });
    },
  },
  {
    route: 'GET /providers/:id/schema',
    asked: 'GET /providers/core1/schema',
    async check(schema: Document, { ask }) {
      assert.deepEqual(schema, (await ask<{ schema: object }>('GET /schema/adapters/core1')).schema);
    },
  },
  {
    route: 'GET /providers/schema',
    async check(schemas: Readonly<Record<string, object>>, { ask }) {
      const { adapterModels } = await ask<{ adapterModels: string[] }>('GET /adapter-models/types');
      assert.deepEqual(Object.keys(schemas).sort(), adapterModels);
      assert.deepEqual(
        schemas['restconf'],
        (await ask<{ schema: object }>('GET /schema/adapters/restconf')).schema,
      );
    },
  },
  {
    route: 'POST /config/profile/add',
    body: { id: 'added', description: 'by an old client' },
    async check({ status }: Done, testServer) {
      assert.deepEqual([status, await descriptionOf(testServer, 'added')], ['Created', 'by an old client']);
    },
  },
  {
    route: 'POST /config/profiles/change',
    body: { id: 'chosen' },
    arrange: (testServer) => profiles(testServer, 'former', 'chosen'),
    async check({ status }: Done, { ask }) {
      const { metadata } = await ask<{ metadata: object }>('GET /profiles/chosen');
      assert.deepEqual([status, metadata], ['OK', { isActive: true, activeSync: true }]);
    },
  },
  {
    route: 'POST /config/property/new',
    body: { property_obj: { id: 'fresh', description: 'made by an old client' } },
    async check({ status }: Done, testServer) {
      assert.deepEqual(
        [status, await descriptionOf(testServer, 'fresh')],
        ['Created', 'made by an old client'],
      );
      await testServer.ask('POST /config/property/new', {
        property_obj: { id: 'fresh', description: 'and changed' },
      });
      assert.equal(await descriptionOf(testServer, 'fresh'), 'and changed');
    },
  },
  {
    route: 'POST /config/property/update',
    body: { property_obj: { description: 'updated by an old client' } },
    arrange: (testServer) => profiles(testServer, 'active-one', 'idle-one'),
    async check({ status }: Done, testServer) {
      assert.deepEqual(
        [status, await descriptionOf(testServer, 'active-one')],
        ['OK', 'updated by an old client'],
      );
      // The pages of the old platform sent back the complete profile.
      const whole = await testServer.ask<Document>('GET /config/property/id/idle-one');
      await testServer.ask('POST /config/property/update', {
        property_obj: { ...whole, description: 'whole' },
      });
      assert.equal(await descriptionOf(testServer, 'idle-one'), 'whole');
    },
  },
  {
    route: 'POST /config/services/create',
    body: adapterNamed('made'),
    async check({ status }: Done, testServer) {
      assert.deepEqual([status, await stateOf(testServer, 'made')], ['Created', 'RUNNING']);
    },
  },
  {
    route: 'POST /config/services/save',
    body: { name: 'saved', properties: { properties: { ...settings(), replyBytes: 1234 } } },
    arrange: ({ register }) => register('saved'),
    async check({ status }: Done, { ask }) {
      const { data } = await ask<{ data: { properties: { properties: Document } } }>('GET /adapters/saved');
      assert.deepEqual([status, data.properties.properties['replyBytes']], ['OK', 1234]);
      await ask('POST /config/services/save', { name: 'Tools', type: 'Application', loggerProps: { console_level: 'debug' } }); // prettier-ignore
      const tools = await ask<{ data: { loggerProps: Document } }>('GET /applications/Tools');
      assert.equal(tools.data.loggerProps['console_level'], 'debug');
    },
  },
  {
    route: 'POST /modules/load',
    body: { module: 'loaded' },
    arrange: async ({ register, ask }) => {
      await register('loaded');
      await ask('PUT /adapters/loaded/stop');
      await ask('PUT /applications/JsonForms/stop');
    },
    async check({ status }: Done, testServer) {
      assert.deepEqual([status, await stateOf(testServer, 'loaded')], ['OK', 'RUNNING']);
      await testServer.ask('POST /modules/load', { module: 'JsonForms' });
      assert.equal(await stateOf(testServer, 'JsonForms', 'applications'), 'RUNNING');
      const plugin = await testServer.call('POST /modules/load', { body: { module: 'http-rest' } });
      assert.equal(plugin.status, 404);
      assert.match((plugin.json as Done).message, /"http-rest" is a plugin.*POST \/adapters/);
      const nothing = await testServer.call('POST /modules/load', { body: { module: 'nothing' } });
      assert.equal(nothing.status, 404);
    },
  },
  {
    route: 'POST /modules/setLogging',
    body: { module: 'loud', transport: 'console', level: 'debug' },
    arrange: ({ register }) => register('loud'),
    async check({ status }: Done, { ask }) {
      const { logger } = await ask<{ logger: Document }>('GET /health/adapters/loud');
      assert.deepEqual([status, logger['console']], ['OK', 'debug']);
    },
  },
  {
    route: 'POST /providers/schema/update',
    async check(schemas: Readonly<Record<string, object>>, { ask }) {
      assert.deepEqual(schemas, await ask('GET /providers/schema'));
      const one = await ask('POST /providers/schema/update', { id: 'restconf' });
      assert.deepEqual(one, schemas['restconf']);
    },
  },
  {
    route: 'POST /appUpdate/changeLog/',
    body: { module: 'core1' },
    async check(releases: readonly { version: string }[], { ask }) {
      const { results } = await ask<{ results: readonly object[] }>('GET /adapters/core1/changelogs');
      assert.ok(releases.length > 0);
      assert.deepEqual(releases, results);
      assert.deepEqual(await ask('POST /appUpdate/changeLog', { module: 'core1', release: '0.0.0' }), []);
    },
  },
  {
    route: 'POST /getActiveSessions',
    arrange: ({ call }) => call('POST /login', { body: { username: 'grace', password: PASSWORD } }),
    async check(sessions: readonly Readonly<Record<string, string>>[], { call, ask }) {
      const { text } = await call('POST /login', { body: { username: 'grace', password: PASSWORD } });
      const [first] = sessions;
      assert.deepEqual([sessions.length, first?.['user']], [1, 'grace']);
      assert.match(first?.['token'] ?? '', /^.{8}\.\.\.$/);
      const after = JSON.stringify(await ask('POST /getActiveSessions', {}));
      assert.ok(after.length > JSON.stringify(sessions).length);
      assert.ok(!after.includes(text), 'a token is shown');
    },
  },
  {
    route: 'PUT /providers/:id',
    asked: 'PUT /providers/put',
    body: { id: 'put', type: 'http-rest', properties: settings() },
    async check({ status }: Done, testServer) {
      assert.deepEqual([status, await stateOf(testServer, 'put')], ['Created', 'RUNNING']);
      const shown = await testServer.ask<Document>('GET /providers/put');
      const changed = { ...shown, properties: { ...settings(), replyBytes: 4321 }, _id: '5ec0ffee' };
      assert.equal((await testServer.ask<Done>('PUT /providers/put', changed)).status, 'OK');
      assert.deepEqual(await testServer.ask('GET /providers/put'), {
        ...shown,
        properties: changed.properties,
      });
    },
  },
];
