import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTasksApi, type TasksApi } from '../support/tasks-api.js';

describe('a task page as the target of an HTML form', function () {
  this.timeout(60_000);
  const { path: folder } = temporaryFolder();
  let api: TasksApi;

  before(async () => {
    api = await openTasksApi(folder);
  });
  after(() => api.testServer.close());

  for (const [who, headers, status, code] of [
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 401, 'unauthorized'],
    ['a page of the same site', { 'sec-fetch-site': 'same-site' }, 401, 'unauthorized'],
    ['a page of another site, over plain HTTP', { origin: 'http://evil.example' }, 401, 'unauthorized'],
    [
      'a page of this origin without the CSRF header',
      { 'sec-fetch-site': 'same-origin' },
      403,
      'csrf_refused',
    ],
    [
      'a script of the console',
      { 'sec-fetch-site': 'same-origin', 'x-gatehouse-csrf': '1' },
      415,
      'unsupported_media_type',
    ],
    ['a program with the cookie', {}, 415, 'unsupported_media_type'],
  ] as const)
    it(`opens no task for ${who}`, async () => {
      const { testServer } = api;
      for (const view of ['ShowJsonForm', 'RenderJsonSchema', 'RenderYangForm']) {
        const answer = await callUrl(`${testServer.url}/json-forms/task/${view}`, {
          headers: {
            cookie: `token=${testServer.issueToken('engineering')}`,
            'content-type': 'application/x-www-form-urlencoded',
            ...headers,
          },
          text: new URLSearchParams({ form_id: 'New site', jsonSchema: '{}', yangData: '[]' }).toString(),
        });
        assert.deepEqual([answer.status, (answer.json as { code: string }).code], [status, code], view);
      }
      const { body } = await api.call('GET', '/tasks');
      assert.equal(body.total, 0);
    });
});
