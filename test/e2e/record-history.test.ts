import assert from 'node:assert/strict';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { callsTo } from '../support/server-calls.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

interface Entry {
  readonly revision: number;
  readonly action: string;
  readonly comment: string | null;
  readonly name?: string;
}

describe('the history of records of a running server', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer();
  });
  after(() => testServer.close());

  const { call, ask } = callsTo(() => testServer);
  const read = (path: `/${string}`) => ask<Readonly<Record<string, unknown>>>(`GET ${path}`);
  const entries = async (path: `/${string}`) => (await read(path))['results'] as readonly Entry[];
  const actions = async () => (await entries('/profiles/night/history')).map(({ action }) => action);
  const descriptionOf = async (path: `/${string}`) => JSON.stringify(await read(path));

  it('cancels an unconfirmed change, confirms a change, and restores the first version', async () => {
    await ask('POST /profiles', { properties: { id: 'night', description: 'first' } });
    const change = { properties: { description: 'second' }, confirmWithin: 10, comment: 'window 7' };
    await ask('PUT /profiles/night', change);
    assert.match(await descriptionOf('/profiles/night'), /second/);
    await ask('POST /profiles/night/cancel');
    assert.match(await descriptionOf('/profiles/night'), /first/);
    await ask('PUT /profiles/night', change);
    await ask('POST /profiles/night/confirm');
    assert.equal((await call('POST /profiles/night/confirm')).status, 409);
    assert.deepEqual(await actions(), ['updated', 'reverted', 'updated', 'created']);
    const [newest, , , oldest] = await entries('/profiles/night/history');
    assert.equal(newest?.comment, 'window 7');
    await ask('POST /profiles/night/rollback', { revision: oldest?.revision });
    assert.match(await descriptionOf('/profiles/night'), /first/);
    assert.equal((await actions())[0], 'rolled-back');
  });

  it('says that a second change of the author confirms the first', async () => {
    await ask('POST /profiles', { properties: { id: 'shift', description: 'first' } });
    const messageOf = async (change: object): Promise<unknown> =>
      (await ask<Record<string, unknown>>('PUT /profiles/shift', change))['message'];
    const waiting = { properties: { description: 'second' }, confirmWithin: 10 };
    assert.equal(await messageOf(waiting), 'Successfully updated shift.');
    assert.equal(await messageOf(waiting), 'Successfully updated shift.');
    assert.equal(
      await messageOf({ properties: { description: 'third' } }),
      'Successfully updated shift. The earlier change that waited for its confirmation is confirmed.',
    );
    assert.equal((await call('POST /profiles/shift/confirm')).status, 409);
  });

  it('returns a version as it was written, without defaults that nobody wrote', async () => {
    await ask('POST /profiles', { properties: { id: 'sparse', services: [] } });
    await ask('PUT /profiles/sparse', { properties: { log: { level: 'debug' } } });
    const documentOf = async (record: `/${string}`, revision: number) =>
      (await read(`${record}/history/${revision}`))['document'];
    const [changed] = await entries('/profiles/sparse/history');
    assert.deepEqual(await documentOf('/profiles/sparse', changed?.revision ?? 0), {
      id: 'sparse',
      services: [],
      log: { level: 'debug' },
    });
    const { profile } = (await read('/profiles/sparse')) as { profile: { redisProps: object } };
    assert.equal((profile.redisProps as { port: number }).port, 6379);
    const settings = { baseUrl: 'http://127.0.0.1:1' };
    const adapter = { name: 'sparse1', model: 'restconf', properties: { properties: settings } };
    await ask('POST /adapters', { properties: { ...adapter, type: 'Adapter', virtual: false } });
    const [version] = await entries('/adapters/sparse1/history');
    assert.deepEqual(await documentOf('/adapters/sparse1', version?.revision ?? 0), adapter);
  });

  it('lists a deleted profile, which a rollback creates again', async () => {
    await ask('DELETE /profiles/night');
    const removed = async () => (await entries('/profiles/history/removed')).map(({ name }) => name);
    assert.deepEqual(await removed(), ['night']);
    const oldest = (await entries('/profiles/night/history')).at(-1);
    await ask('POST /profiles/night/rollback', { revision: oldest?.revision });
    assert.match(await descriptionOf('/profiles/night'), /first/);
    assert.deepEqual(await removed(), []);
  });

  it('refuses an unknown version, and the history of an adapter in a file', async () => {
    assert.equal((await call('GET /profiles/night/history/0')).status, 404);
    const { status, json } = await call('GET /adapters/core1/history');
    assert.equal(status, 409);
    assert.equal((json as { code: string }).code, 'adapter_in_file');
  });

  it('says who suspended an adapter, until when, and why', async () => {
    const body = { mode: 'pause', seconds: 3600, comment: 'maintenance' };
    await ask('PUT /adapters/core1/suspend', body);
    assert.match(JSON.stringify(await read('/console/overview')), /until [^"]*: maintenance/i);
    await ask('PUT /adapters/core1/start');
    assert.doesNotMatch(JSON.stringify(await read('/console/overview')), /: maintenance/);
  });
});

describe('a suspension that begins later', () => {
  interface Shown {
    readonly suspended: string | null;
    readonly scheduled: { readonly wanted: string; readonly reason: string } | null;
  }

  it('is shown, begins at its time, and can be canceled before', async () => {
    const clock = createFakeScheduler(Date.now());
    const server = await startTestServer({ clock });
    const shown = async () => {
      const { adapters } = await server.ask<{ readonly adapters: readonly Shown[] }>('GET /console/overview');
      return adapters[0];
    };
    const suspend = (seconds: number) => {
      const starts = new Date(clock.now() + seconds * 1000).toISOString();
      const body = { mode: 'error', starts, seconds: 3600, comment: 'window 7' };
      return server.call('PUT /adapters/core1/suspend', { body });
    };
    const cancel = () => server.call('DELETE /adapters/core1/suspend');
    assert.match(
      (await suspend(60)).text,
      /Successfully scheduled a suspension of core1: its calls will be refused from .* until/,
    );
    const { scheduled, suspended } = (await shown()) ?? {};
    assert.deepEqual([suspended, scheduled?.wanted, scheduled?.reason], [null, 'refusing', 'window 7']);
    await cancel();
    assert.equal((await shown())?.scheduled, null);
    assert.match((await cancel()).text, /No suspension of core1 is scheduled\./);
    await suspend(60);
    await clock.pass(60_000);
    await eventually(async () => {
      const { scheduled: later, suspended: now } = (await shown()) ?? {};
      assert.deepEqual([later, now], [null, 'refusing']);
    });
    assert.match((await cancel()).text, /It is suspended now: start the adapter/);
    assert.equal((await suspend(10 ** 10)).status, 400);
    const refused = await suspend(-365 * 86_400);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /\/starts is in the past; leave it out/);
    await server.close();
  });
});

describe('a change that becomes due while no server runs', () => {
  it('is undone before the first snapshot of the next server (bug: the server started with the change)', async () => {
    const folder = temporaryFolder().path;
    const clock = createFakeScheduler(Date.now());
    const first = await startTestServer({ folder, clock });
    await first.ask('POST /profiles', { properties: { id: 'night', description: 'first' } });
    const change = { properties: { description: 'second' }, confirmWithin: 10 };
    await first.ask('PUT /profiles/night', change);
    await first.close();
    clock.set(11 * 60_000);
    // The clock is stopped: no timer of the second server undoes the change.
    const second = await startTestServer({ folder, clock, password: first.password });
    assert.match((await second.call('GET /profiles/night')).text, /first/);
    const { text } = await second.call('GET /audit?operation=profiles.revertUnconfirmed');
    assert.match(text, /not confirmed in time/);
    await second.close();
  });
});
