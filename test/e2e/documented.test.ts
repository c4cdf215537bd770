import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../src/core/problem.js';
import { createApiDescription } from '../../src/features/api-description.js';
import { problemDocument } from '../../src/http/response.js';
import { readFileRecords, RUN_FOLDER } from '../run/file-records.js';
import { createReplyCheck, type SeenReply } from '../support/reply-check.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Runs a suite whose server sends an undocumented reply. */
async function runSuite() {
  const folder = temporaryFolder().path;
  const mocha = fileURLToPath(import.meta.resolve('mocha/bin/mocha.js'));
  const options = '--no-config --no-package --timeout 60000 --require'.split(' ');
  const args = [mocha, ...options, here('../run/hooks.js')];
  const child = spawn(process.execPath, [...args, here('undocumented-suite.js')], {
    env: { ...process.env, [RUN_FOLDER]: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = (await Promise.all([textOf(child.stdout), textOf(child.stderr)])).join('');
  return { code: await exit, said, replies: readFileRecords(folder).map((file) => file.replies) };
}

describe('the comparison of every reply with the API description', () => {
  it('fails a passing suite if a reply differs from the description, and names the reply and the fault', async () => {
    const { code, said, replies } = await runSuite();
    assert.notEqual(code, 0, said);
    assert.match(said, /1 passing/);
    assert.deepEqual(replies, [1]);
    assert.match(
      said,
      /GET http:\/\/127\.0\.0\.1:\d+\/readyz 200: the body at "" must have required property 'ready'/,
    );
  });

  const check = createReplyCheck(createApiDescription(() => ({}))());
  const typed = (type: string) => ({
    'x-request-id': 'r',
    'cache-control': 'no-store',
    'content-type': type,
  });
  const json = typed('application/json; charset=utf-8');
  const text = JSON.stringify(problemDocument(new Problem('not_found', 'no'), '/x', 'r'));
  const url = 'http://gw.example/tools//restCall/?token=x';
  const reply: SeenReply = { method: 'POST', url, status: 200, headers: json, text: '{"response":1}' };
  const problem = { headers: typed('application/problem+json; charset=utf-8'), text };
  const missing: SeenReply = { ...reply, ...problem, url: '/nowhere', status: 404 };
  const passed: SeenReply = { method: 'PATCH', url: '/proxy/a/b/c', status: 204, headers: {}, text: '' };
  const head = { method: 'HEAD', url: '/readyz', status: 200, headers: json, text: '' };
  const metrics = {
    method: 'GET',
    url: '/metrics',
    headers: typed('text/plain; version=0.0.4'),
    text: 'up 1',
  };

  for (const [what, seen, fault = /^$/] of [
    ['a reply of an operation', reply],
    ['a refusal of an unknown path', missing],
    ['the reply to HEAD, which has no body', head],
    ['a text reply', { ...reply, ...metrics }],
    ['a reply of an orchestrator', passed],
    ['a failure of an orchestrator', { ...passed, status: 404, headers: { 'content-type': 'text/html' } }],
    ['a refusal of a call to an orchestrator', { ...passed, ...problem, status: 502 }],
    ['an undocumented success status', { ...reply, status: 201 }, /^the status is not documented$/],
    ['a success at an unknown path', { ...reply, url: '/nowhere' }, /nor is the operation/],
    ['a wrong media type', { ...reply, headers: typed('text/html') }, /media type text\/html/],
    ['a failure without a problem document', { ...missing, headers: json }, /media type application\/json/],
    ['a body that is not JSON', { ...reply, text: '{' }, /no JSON/],
    ['a body without a member', { ...reply, text: '{}' }, /"" must have required property 'response'/],
    ['a member of the wrong type', { ...reply, text: '{"response":1,"statusCode":"200"}' }, /"\/statusCode"/],
    ['a code that is not listed', { ...missing, text: text.replace('not_found', 'oops') }, /"\/code"/],
    [
      'a missing header',
      { ...reply, headers: { ...json, 'x-request-id': undefined } },
      /header x-request-id/,
    ],
    ['a 401 without a challenge', { ...missing, url, status: 401 }, /header www-authenticate/],
    [
      'a problem document without its members',
      { ...passed, ...problem, status: 502, text: '{}' },
      /required/,
    ],
  ] as readonly (readonly [string, SeenReply, RegExp?])[])
    it(`${fault.source === '^$' ? 'accepts' : 'reports'} ${what}`, () => {
      assert.match(check(seen).join('\n'), fault);
    });
});
