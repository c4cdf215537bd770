import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type CallTasks, openTasksApi, type TasksApi, VLAN } from '../support/tasks-api.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const APPROVAL = { outcome: 'approved', formData: { name: 'a' } };

describe('finding F7: the access to tasks', () => {
  const { path: folder } = temporaryFolder();
  let api: TasksApi;
  let owner: CallTasks;
  let eve: CallTasks;
  let boss: CallTasks;

  before(async () => {
    api = await openTasksApi(folder);
    owner = api.callAs('owner', 'engineering');
    eve = api.callAs('eve', 'engineering', 'core-team');
    boss = api.callAs('boss', 'admin');
  });
  after(() => api.testServer.close());

  const openAs = async (call: CallTasks, options: object): Promise<string> => {
    const { status, body, text } = await call('POST', '/task/RenderJsonSchema', {
      body: { jsonSchema: VLAN, ...options },
    });
    assert.equal(status, 200, text);
    return body.id;
  };
  const approve = async (call: CallTasks, id: string) => {
    const { status, body } = await call('POST', `/tasks/${id}/outcome`, { body: APPROVAL });
    return status === 200 ? 200 : body.code;
  };
  const isListed = async (call: CallTasks, id: string): Promise<boolean> =>
    (await call('GET', '/tasks?limit=100')).body.results.some((one) => one.id === id);

  for (const [what, options] of [
    ['its assignee', { assignee: { subject: 'eve' } }],
    ['its assignee of an issuer', { assignee: { subject: 'eve', issuer: 'gatehouse' } }],
    ['the role that is asked', { assignee: { role: 'core-team' } }],
    ['its roles', { roles: ['core-team'] }],
  ] as const)
    it(`is for ${what}, the requester and admins only`, async () => {
      const id = await openAs(owner, options);
      const other = api.callAs('mallory', 'engineering');
      const refused = [
        await other('GET', `/tasks/${id}`),
        await other('PUT', `/tasks/${id}/draft`, { body: { formData: 1 } }),
        await other('POST', `/tasks/${id}/outcome`, { body: APPROVAL }),
        await other('POST', `/tasks/${id}/outcome`, { body: { outcome: 'rejected', reason: 'no' } }),
      ];
      assert.deepEqual(
        refused.map(({ status, body }) => [status, body.code]),
        refused.map(() => [404, 'task_not_found']),
      );
      const readers = [owner, boss, eve];
      assert.deepEqual(await Promise.all(readers.map((one) => isListed(one, id))), [true, true, true]);
      assert.equal(await isListed(other, id), false);
      assert.equal(await approve(eve, id), 200);
    });

  it('lets an excluded requester reject, but not approve', async () => {
    for (const call of [owner, boss]) {
      const id = await openAs(call, { excludeRequester: true });
      assert.equal(await approve(call, id), 'requester_excluded');
      const rejection = { outcome: 'rejected', reason: 'withdrawn' };
      assert.equal((await call('POST', `/tasks/${id}/outcome`, { body: rejection })).status, 200);
    }
    assert.equal(await approve(eve, await openAs(owner, { excludeRequester: true })), 200);
    assert.equal(await approve(owner, await openAs(owner, {})), 200);
  });

  it('follows the settings for all requesters, and no task turns them off', async () => {
    const earlier = await openAs(owner, {});
    const { configPath, running } = api.testServer;
    const file = readFileSync(configPath, 'utf8');
    writeFileSync(
      configPath,
      file.replace('maxTasks: 80,', 'maxTasks: 80, excludeRequester: true, roles: [core-team],'),
    );
    assert.deepEqual(await running.reload(), []);
    assert.equal(await approve(owner, earlier), 'requester_excluded');
    const id = await openAs(owner, { excludeRequester: false });
    assert.equal(await approve(owner, id), 'requester_excluded');
    assert.equal(await approve(api.callAs('mallory', 'engineering'), id), 'task_not_found');
    assert.equal(await approve(eve, id), 200);
    writeFileSync(configPath, file);
    assert.deepEqual(await running.reload(), []);
  });
});
