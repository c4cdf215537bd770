import assert from 'node:assert/strict';
import type { Fault } from '../../../src/core/fault.js';
import { invalidAt, problem } from '../../support/failing.js';
import { assertMembers } from '../../support/members.js';
import { openProfilesApi, type ProfileCall, type ProfilesApi } from '../../support/profiles-api.js';

const FAULT: Fault = {
  ...{ file: 'gatehouse.yaml', line: 1, column: 1, pointer: '/egress/allow/0' },
  ...{ code: 'egress', message: 'cannot be used', fix: 'Correct it.' },
};

describe('profiles', () => {
  let api: ProfilesApi;
  let findFaults: (description: unknown) => readonly Fault[] | Promise<readonly Fault[]>;

  beforeEach(async () => {
    findFaults = () => [];
    api = await openProfilesApi((state) => findFaults(state.profile?.document['description']));
  });
  afterEach(() => api.close());

  const call = async (operation: string, profileCall: ProfileCall = {}) =>
    (await api.call(operation, profileCall)) as { body: never; headers?: { etag: string }; change?: unknown };
  const create = (id: string, members: object = {}) =>
    call('createProfile', { properties: { id, ...members } });
  const update = (id: string, properties: Readonly<Record<string, unknown>>) =>
    call('updateProfile', { id, properties });
  const activate = (id: string) => call('switchActiveProfile', { id });
  const messageOf = ({ body }: { body: { message: string } }): string => body.message;
  const describedAs = async (id: string) => (await api.platform.profiles.find(id))?.document['description'];
  const metadataOf = async (id: string) =>
    ((await call('getProfile', { id })).body as { metadata: object }).metadata;
  const activeName = async () => (await api.platform.read()).profile?.name;

  it('creates a profile with all defaults and an id', async () => {
    const { body, headers, change } = await create('test', { description: '' });
    const { status, message, data } = body as { status: string; message: string; data: { _id: string } };
    assert.deepEqual([status, message], ['Created', 'Successfully created test.']);
    assert.match(data._id, /^[0-9a-f]{24}$/);
    assert.equal(headers?.etag, '"1"');
    const stored = await api.platform.profiles.find('test');
    assert.deepEqual(stored?.document, { id: 'test', description: '' });
    const { body: exported } = await call('exportProfile', { id: 'test' });
    assert.deepEqual({ ...(exported as object), _id: stored.id }, data);
    assert.deepEqual(change, { after: stored.document });
  });

  it('answers with the messages that clients print', async () => {
    await create('test');
    const taken = problem('name_taken', /^test already exists!$/);
    for (const operation of ['createProfile', 'importProfile'])
      await assert.rejects(call(operation, { properties: { id: 'test' } }), taken);
    const unknown = problem('profile_not_found', /^Profile not found\.$/);
    for (const operation of ['getProfile', 'exportProfile'])
      await assert.rejects(call(operation, { id: 'x' }), unknown);
    const absent = problem('profile_not_found', /^Profile: x does not exist!$/);
    for (const operation of ['deleteProfile', 'switchActiveProfile', 'updateProfile'])
      await assert.rejects(call(operation, { id: 'x', properties: {} }), absent);
  });

  it('refuses an update that adds members to a profile that has the most', async () => {
    const members = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 9_000 }, (_, number) => [`${prefix}${number}`, number]));
    await create('test', members('a'));
    await update('test', members('a'));
    const tooMany = problem('body_too_large', /^The profile would have more than 10000 values\.$/);
    await assert.rejects(update('test', members('b')), tooMany);
    const long = { c: 'c'.repeat(600_000) };
    await update('test', long);
    await assert.rejects(update('test', { d: long.c }), problem('body_too_large', /1048576 bytes/));
  });

  it('ignores an id that a client sends and imports a profile as it was exported', async () => {
    await create('test', { _id: 'f'.repeat(24), own: { a: 1 } });
    const { body } = await call('exportProfile', { id: 'test' });
    assert.ok(!('_id' in body));
    await call('deleteProfile', { id: 'test' });
    await call('importProfile', { properties: body });
    assert.deepEqual((await call('exportProfile', { id: 'test' })).body, body);
  });

  it('lists profiles with the common list query', async () => {
    for (const id of ['b', 'a', 'c']) await create(id, { description: `is ${id}` });
    const names = async (query: string) => {
      const { results, total } = (await call('getProfiles', { query })).body as {
        results: readonly { profile: { id: string } }[];
        total: number;
      };
      return [results.map(({ profile }) => profile.id), total];
    };
    assert.deepEqual(await names(''), [['a', 'b', 'c'], 3]);
    assert.deepEqual(await names('equals=b&equalsField=id'), [['b'], 1]);
    assert.deepEqual(await names('contains=is c&containsField=description'), [['c'], 1]);
    assert.deepEqual(await names('limit=1&skip=1&order=-1'), [['b'], 3]);
  });

  it('reports a profile as active after the switch and as in sync while its stored revision runs', async () => {
    await create('test');
    assert.deepEqual(await metadataOf('test'), { isActive: false, activeSync: false });
    await activate('test');
    assert.deepEqual(await metadataOf('test'), { isActive: true, activeSync: true });
    await api.platform.profiles.update({ name: 'test' }, (document) => document);
    assert.deepEqual(await metadataOf('test'), { isActive: true, activeSync: false });
  });

  it('reports which adapters a switch or an update starts and stops', async () => {
    await create('some', { services: ['a', 'JsonForms'] });
    await create('all');
    assert.equal(messageOf(await activate('some')), 'Successfully activated some. Stopped: b, c.');
    const changed = messageOf(await update('some', { services: ['b'] }));
    assert.equal(changed, 'Successfully updated some. Started: b. Stopped: a.');
    assert.equal(messageOf(await activate('all')), 'Successfully activated all. Started: a, c.');
    assert.equal(messageOf(await activate('all')), 'Successfully activated all.');
  });

  it('reloads nothing when nothing that runs changes', async () => {
    await create('test');
    await update('test', { description: 'x' });
    await call('deleteProfile', { id: 'test' });
    assert.deepEqual(api.takenUp, []);
  });

  it('updates by member: absent members stay, null restores the default', async () => {
    await create('test', { description: 'd', redisProps: { host: 'redis' }, log: { level: 'debug' } });
    await update('test', { redisProps: { port: 1 }, id: '', _id: null });
    const stored = async () =>
      (await call('exportProfile', { id: 'test' })).body as Readonly<Record<string, unknown>>;
    const log = { level: 'debug' };
    assertMembers(await stored(), { description: 'd', log, redisProps: { host: '127.0.0.1', port: 1 } });
    await update('test', { log: null, description: null });
    assertMembers(await stored(), { description: '', log: undefined });
  });

  it('rejects a change of the name', async () => {
    await create('test');
    const renamed = problem('invalid_request', /\/properties\/id must/);
    await assert.rejects(update('test', { id: 'other' }), renamed);
    await update('test', { id: 'test' });
  });

  it('rejects an invalid profile with every pointer, below the wrapper of the request', async () => {
    const members = { egress: { allow: ['10.0.0.0/99:1'] }, roles: { 'no.such': ['admin'] } };
    const invalid = invalidAt('/properties/egress/allow/0', '/properties/roles/no.such');
    await assert.rejects(create('bad', members), invalid);
    assert.equal(await describedAs('bad'), undefined);
  });

  it('changes a profile only at the revision of the If-Match header', async () => {
    await create('test');
    const properties = { description: 'x' };
    const { headers } = await call('updateProfile', { id: 'test', properties, seen: '"1"' });
    assert.equal(headers?.etag, '"2"');
    const outdated = { id: 'test', properties, seen: '"1"' };
    for (const operation of ['updateProfile', 'deleteProfile', 'switchActiveProfile'])
      await assert.rejects(call(operation, outdated), problem('precondition_failed'));
    assert.equal(await activeName(), undefined);
    await call('switchActiveProfile', { id: 'test', seen: '"2"' });
  });

  it('rejects the deletion of the active profile', async () => {
    await create('test');
    await create('other');
    await activate('test');
    await assert.rejects(call('deleteProfile', { id: 'test' }), problem('profile_active', /test is active/));
    await activate('other');
    assert.equal(messageOf(await call('deleteProfile', { id: 'test' })), 'Successfully deleted test.');
  });

  describe('with a profile that the server cannot run', () => {
    beforeEach(async () => {
      await create('good', { description: 'good' });
      await create('bad', { description: 'bad' });
      await activate('good');
      findFaults = (description) => (description === 'bad' ? [FAULT] : []);
    });

    it('does not activate the profile and keeps the active one in sync', async () => {
      const unchanged = problem('invalid_request', /^Nothing was changed: \/egress\/allow/);
      await assert.rejects(activate('bad'), unchanged);
      assert.equal(await activeName(), 'good');
      assert.deepEqual(await metadataOf('good'), { isActive: true, activeSync: true });
    });

    it('restores the previous document, in sync at a new revision', async () => {
      await assert.rejects(update('good', { description: 'bad' }), problem('invalid_request'));
      assert.equal(await describedAs('good'), 'good');
      assert.deepEqual(await metadataOf('good'), { isActive: true, activeSync: true });
      assert.equal((await call('getProfile', { id: 'good' })).headers?.etag, '"3"');
    });

    it('restores the previous document when the check itself fails', async () => {
      findFaults = (description) => {
        if (description === 'bad') throw new Error('the server is stopping');
        return [];
      };
      await assert.rejects(update('good', { description: 'bad' }), /stopping/);
      assert.equal(await describedAs('good'), 'good');
    });

    it('keeps a change that another writer made in the meantime', async () => {
      findFaults = async (description) => {
        if (description !== 'bad') return [];
        await api.platform.profiles.update({ name: 'good' }, (one) => ({ ...one, description: 'theirs' }));
        return [FAULT];
      };
      await assert.rejects(update('good', { description: 'bad' }), problem('invalid_request'));
      assert.equal(await describedAs('good'), 'theirs');
    });

    it('keeps the change of a concurrent second writer', async () => {
      const [first, second] = await Promise.allSettled([
        update('good', { description: 'bad' }),
        update('good', { services: ['a'] }),
      ]);
      assert.deepEqual([first.status, second.status], ['rejected', 'fulfilled']);
      const stored = (await api.platform.profiles.find('good'))?.document;
      assert.deepEqual([stored?.['description'], stored?.['services']], ['good', ['a']]);
    });
  });
});
