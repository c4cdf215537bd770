import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { taskHead } from '../../src/features/tasks/task.js';
import { callUrl } from '../support/call.js';
import { PAGE } from '../support/page-folder.js';
import { openTasksApi, type TasksApi, VLAN } from '../support/tasks-api.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('the tasks of a running server', function () {
  const { path: folder } = temporaryFolder();
  let api: TasksApi;

  before(async () => {
    api = await openTasksApi(folder);
  });
  after(() => api.testServer.close());

  describe('a draft', () => {
    it('stores any data, and increments the revision', async () => {
      const { id } = await api.open();
      const saved = await api.call('PUT', `/tasks/${id}/draft`, {
        body: { formData: { vlan: 'x' } },
        seen: 1,
      });
      assert.deepEqual([saved.status, saved.headers['etag'], saved.body.revision], [200, '"2"', 2]);
      const { draft, lastUpdated, formData } = (await api.call('GET', `/tasks/${id}`)).body;
      const stamp = { by: 'ada', byIssuer: 'gatehouse', byName: 'ada', at: lastUpdated };
      const changes = [{ ...stamp, pointers: ['/vlan'] }];
      assert.deepEqual(draft, { formData: { vlan: 'x' }, ...stamp, changes });
      assert.deepEqual(formData, {});
    });

    it('does not overwrite a newer revision: 412 reports the current revision', async () => {
      const { id } = await api.open();
      await api.call('PUT', `/tasks/${id}/draft`, { body: { formData: 1 } });
      const late = await api.call('PUT', `/tasks/${id}/draft`, { body: { formData: 2 }, seen: 1 });
      assert.deepEqual([late.status, late.body.code, late.headers['etag']], [412, 'precondition_failed', '"2"']); // prettier-ignore
      assert.match(late.body.detail, /revision 2/);
      assert.equal((await api.finish(id, { outcome: 'rejected', reason: 'x' }, 1)).status, 412);
      assert.equal((await api.finish(id, { outcome: 'approved', formData: {} }, 1)).status, 412);
      assert.equal((await api.call('GET', `/tasks/${id}`)).body.draft?.formData, 1);
    });

    it('of an unknown task answers 404', async () => {
      for (const id of ['0'.repeat(24), '%27%20or%201=1'])
        for (const reply of [
          await api.call('PUT', `/tasks/${id}/draft`, { body: { formData: 1 } }),
          await api.call('GET', `/tasks/${id}`),
          await api.finish(id, { outcome: 'approved', formData: 1 }),
        ])
          assert.equal(reply.body.code, 'task_not_found');
    });
  });

  describe('an outcome', () => {
    it('approves valid data with the hash of its canonical JSON, and is final', async () => {
      const { id } = await api.open();
      await api.call('PUT', `/tasks/${id}/draft`, { body: { formData: {} } });
      const formData = { vlan: 7, name: 'é', 10: true, 9: [1.0, { b: null, a: '"' }] };
      const { status, body } = await api.finish(id, { outcome: 'approved', formData }, 2);
      assert.equal(status, 200);
      const canonical = '{"10":true,"9":[1,{"a":"\\"","b":null}],"name":"é","vlan":7}';
      assert.deepEqual(body.outcome, {
        status: 'approved',
        reason: '',
        export: formData,
        by: 'ada',
        byIssuer: 'gatehouse',
        byName: 'ada',
        at: body.lastUpdated,
        hash: createHash('sha256').update(canonical).digest('hex'),
      });
      assert.deepEqual([body.status, body.draft, body.revision], ['approved', null, 3]);
      for (const late of [
        await api.finish(id, { outcome: 'approved', formData }),
        await api.finish(id, { outcome: 'rejected', reason: 'too late' }, 3),
        await api.call('PUT', `/tasks/${id}/draft`, { body: { formData }, seen: 3 }),
      ])
        assert.deepEqual([late.status, late.body.code], [409, 'task_finished']);
      assert.deepEqual((await api.call('GET', `/tasks/${id}`)).body, body);
    });

    it('stores no invalid data, and reports every pointer', async () => {
      const asked = await api.open();
      const refused = await api.finish(asked.id, { outcome: 'approved', formData: { vlan: 5000 } });
      assert.deepEqual([refused.status, refused.body.code], [422, 'form_data_invalid']);
      assert.deepEqual(
        refused.body.errors.map(({ pointer }) => pointer),
        ['/formData', '/formData/vlan'],
      );
      assert.deepEqual((await api.call('GET', `/tasks/${asked.id}`)).body, asked);
    });

    it('rejects with a reason, for any data', async () => {
      const { id } = await api.open();
      for (const [pointer, body] of [
        ['/reason', { outcome: 'rejected', reason: ' \n' }],
        ['/reason', { outcome: 'rejected', reason: 'x'.repeat(2001) }],
        ['/formData', { outcome: 'approved' }],
        ['/outcome', { outcome: 'open' }],
      ] as const) {
        const refused = await api.finish(id, body);
        assert.deepEqual([refused.status, refused.body.errors[0]?.pointer], [400, pointer]);
      }
      const { body } = await api.finish(id, { outcome: 'rejected', reason: 'no', formData: { vlan: 'x' } });
      assert.deepEqual(
        [body.status, body.outcome?.reason, body.outcome?.export],
        ['rejected', 'no', { vlan: 'x' }],
      );
    });

    it('succeeds exactly once for concurrent requests', async () => {
      const { id } = await api.open();
      const answers = await Promise.all(
        Array.from(
          { length: 10 },
          (_, at) =>
          api.finish(id, at % 2 ? { outcome: 'approved', formData: { name: `${at}` } } : { outcome: 'rejected', reason: `${at}` }), // prettier-ignore
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      assert.deepEqual((await api.call('GET', `/tasks/${id}`)).body, won[0]?.body);
      assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 409]);
    });
  });

  describe('the list', () => {
    it('shows tasks without their documents, in the order that the query names', async () => {
      const asked = await api.open({ jsonSchema: VLAN, title: 'the newest' });
      const { body } = await api.call('GET', '/tasks?limit=2&sort=created');
      assert.equal(body.results.length, 2);
      assert.deepEqual(body.results[0], { ...taskHead(asked), url: asked.url, overdue: false });
      const none = await api.call('GET', '/tasks?status=approved&view=ShowJsonForm');
      assert.deepEqual(none.body, { results: [], total: 0 });
      for (const query of ['status=done', 'order=2', 'sort=own&order=1', 'overdue=1', 'dueFrom=2026-05-04'])
        assert.equal((await api.call('GET', `/tasks?${query}`)).body.code, 'invalid_request', query);
    });

    it('filters tasks by their deadline, and marks overdue tasks, which can still be answered', async () => {
      const late = await api.open({ jsonSchema: VLAN, due: '2001-02-03T04:05:06+01:00' });
      const far = await api.open({ jsonSchema: VLAN, due: '2999-01-01t00:00:00z' });
      assert.deepEqual([late.due, late.overdue], ['2001-02-03T03:05:06.000Z', true]);
      assert.deepEqual([far.due, far.overdue], ['2999-01-01T00:00:00.000Z', false]);
      const idsOf = async (query: string): Promise<readonly string[]> =>
        (await api.call('GET', `/tasks?${query}`)).body.results.map(({ id }) => id);
      assert.deepEqual(await idsOf('overdue=true'), [late.id]);
      assert.deepEqual(await idsOf('dueFrom=2001-02-03T03:05:06Z&sort=due'), [late.id, far.id]);
      assert.deepEqual(await idsOf('dueBefore=2002-01-01T00:00:00Z'), [late.id]);
      const { body } = await api.finish(late.id, { outcome: 'approved', formData: { name: 'a' } });
      assert.deepEqual([body.status, body.overdue, body.due], ['approved', false, late.due]);
      assert.deepEqual(await idsOf('overdue=true'), []);
    });

    it('rejects a deadline that is not a date and time', async () => {
      const body = { jsonSchema: VLAN, due: '2026-02-30T25:00:00Z' };
      const refused = await api.call('POST', '/task/RenderJsonSchema', { body });
      assert.deepEqual([refused.status, refused.body.errors[0]?.pointer], [400, '/due']);
    });

    it('finding F7: is limited for each subject, and no new task replaces a finished task', async () => {
      const finished = await api.open();
      await api.finish(finished.id, { outcome: 'rejected', reason: 'no' });
      const { total } = (await api.call('GET', '/tasks?limit=0&status=open')).body;
      for (let at = total; at < 30; at += 1) await api.open();
      const body = { jsonSchema: VLAN };
      const refused = await api.call('POST', '/task/RenderJsonSchema', { body });
      assert.deepEqual([refused.status, refused.body.code], [409, 'too_many_tasks']);
      assert.match(refused.body.detail, /More than 30 .*"ada".*forms\.tasks\.maxOpenPerSubject/);
      assert.equal((await api.call('GET', `/tasks/${finished.id}`)).body.status, 'rejected');
      const eve = api.callAs('eve', 'engineering');
      assert.equal((await eve('POST', '/task/RenderJsonSchema', { body })).status, 200);
    });
  });

  describe('a task page as the target of an HTML form', () => {
    for (const [who, headers, status, code] of [
      ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 401, 'unauthorized'],
      ['a page of another site, over plain HTTP', { origin: 'http://evil.example' }, 401, 'unauthorized'],
      [
        'a page of this origin without the CSRF header',
        { 'sec-fetch-site': 'same-origin' },
        403,
        'csrf_refused',
      ],
      ['a program with the cookie', {}, 415, 'unsupported_media_type'],
    ] as const)
      it(`opens no task for ${who}`, async () => {
        const answer = await callUrl(`${api.testServer.url}/json-forms/task/RenderJsonSchema`, {
          headers: {
            cookie: `token=${api.testServer.issueToken('engineering')}`,
            'content-type': 'application/x-www-form-urlencoded',
            ...headers,
          },
          text: new URLSearchParams({ jsonSchema: '{}' }).toString(),
        });
        assert.deepEqual([answer.status, (answer.json as { code: string }).code], [status, code]);
      });
  });

  describe('the task page', () => {
    const page = (path: string) =>
      callUrl(`${api.testServer.url}/json-forms/task/${path}`, {
        method: 'GET',
        token: api.testServer.issueToken('engineering'),
      });

    it('is the built page, with the frame ancestors of the configuration', async () => {
      for (const view of ['ShowJsonForm?form_id=site', 'RenderJsonSchema', 'RenderYangForm?task=1']) {
        const { status, headers, text } = await page(view);
        assert.deepEqual([status, text], [200, PAGE]);
        for (const [name, value] of Object.entries({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy':
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
            "connect-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'; " +
            "require-trusted-types-for 'script'; frame-ancestors 'self' https://portal.example",
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-cache',
        }))
          assert.equal(headers[name], value, name);
      }
      assert.equal((await page('ShowNothing')).status, 404);
    });

    it('is a problem with a recommendation if the pages are not built', async () => {
      rmSync(join(folder, 'pages', 'task.html'));
      const { status, json } = await page('ShowJsonForm');
      const { code, detail } = json as { code: string; detail: string };
      assert.deepEqual([status, code], [503, 'not_ready']);
      assert.match(detail, /npm run build/);
    });
  });
});
