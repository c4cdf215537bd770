import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createApiDescription } from '../../src/api/services/api-description.js';
import { Problem, problemDocument } from '../../src/core/problem.js';
import { readFileRecords, RUN_FOLDER } from '../run/file-records.js';
import { createReplyCheck, type SeenReply } from '../support/reply-check.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Runs a suite whose server sends a documented or an undocumented reply. */
async function runSuite(
  wrong: 'yes' | 'no',
): Promise<{ readonly code: number | null; readonly said: string; readonly replies: readonly number[] }> {
  const folder = temporaryFolder().path;
  const mocha = fileURLToPath(import.meta.resolve('mocha/bin/mocha.js'));
  const args = [
    mocha,
    '--no-config',
    '--no-package',
    '--require',
    here('../run/hooks.js'),
    here('undocumented-suite.js'),
  ];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, WRONG: wrong, [RUN_FOLDER]: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  return { code: await exit, said, replies: readFileRecords(folder).map((file) => file.replies) };
}

describe('the comparison of every reply with the API description', () => {
  it('fails a passing suite if a reply differs from the description, and names the reply and the fault', async () => {
    const { code, said, replies } = await runSuite('yes');
    assert.notEqual(code, 0, said);
    assert.match(said, /1 passing/);
    assert.deepEqual(replies, [1]);
    assert.match(
      said,
      /GET http:\/\/127\.0\.0\.1:\d+\/readyz 200: the body at "" must have required property 'ready'/,
    );
  });

  it('passes a suite whose replies match the description', async () => {
    const { code, said, replies } = await runSuite('no');
    assert.equal(code, 0, said);
    assert.deepEqual(replies, [1]);
  });

  const check = createReplyCheck(createApiDescription(() => ({}))());
  const gatehouseHeaders = { 'x-request-id': 'r', 'cache-control': 'no-store' };
  const json = { ...gatehouseHeaders, 'content-type': 'application/json; charset=utf-8' };
  const refused = { ...gatehouseHeaders, 'content-type': 'application/problem+json; charset=utf-8' };
  const problem = (change: object = {}): string =>
    JSON.stringify({ ...problemDocument(new Problem('not_found', 'no'), '/x', 'r'), ...change });
  const validReply: SeenReply = {
    method: 'POST',
    url: 'http://gw.example/tools//restCall/?token=x',
    status: 200,
    headers: json,
    text: '{"response":1}',
  };
  const missing: SeenReply = {
    ...validReply,
    url: '/nowhere',
    status: 404,
    headers: refused,
    text: problem(),
  };
  const passed: SeenReply = { method: 'PATCH', url: '/proxy/a/b/c', status: 204, headers: {}, text: '' };

  const asDocumented: Readonly<Record<string, SeenReply>> = {
    'a reply of an operation': validReply,
    'a refusal of an operation': { ...missing, url: validReply.url, status: 409 },
    'a refusal of an unknown path': missing,
    'the reply to HEAD, which has no body': { ...missing, method: 'HEAD', url: '/readyz', status: 200, headers: json, text: '' }, // prettier-ignore
    'a text reply': { ...validReply, method: 'GET', url: '/metrics', headers: { ...gatehouseHeaders, 'content-type': 'text/plain; version=0.0.4' }, text: 'up 1' }, // prettier-ignore
    'a reply of an orchestrator': passed,
    'a failure of an orchestrator': {
      ...passed,
      status: 404,
      headers: { 'content-type': 'text/html' },
    },
    'a refusal of a call to an orchestrator': {
      ...passed,
      status: 502,
      headers: refused,
      text: problem(),
    },
  };
  for (const [what, reply] of Object.entries(asDocumented))
    it(`accepts ${what}`, () => {
      assert.deepEqual(check(reply), []);
    });

  const notAsDocumented: Readonly<Record<string, readonly [SeenReply, RegExp]>> = {
    'an undocumented success status': [{ ...validReply, status: 201 }, /^the status is not documented$/],
    'a redirect': [{ ...validReply, status: 302 }, /^the status is not documented$/],
    'a success at an unknown path': [{ ...validReply, url: '/nowhere' }, /nor is the operation/],
    'a success of another method': [{ ...validReply, method: 'GET' }, /nor is the operation/],
    'a wrong media type': [
      { ...validReply, headers: { ...json, 'content-type': 'text/html' } },
      /media type text\/html/,
    ],
    'a failure that is not a problem document': [
      { ...missing, headers: json },
      /media type application\/json/,
    ],
    'a body that is not JSON': [{ ...validReply, text: '{' }, /no JSON/],
    'a body without a member': [{ ...validReply, text: '{}' }, /"" must have required property 'response'/],
    'a member of the wrong type': [
      { ...validReply, text: '{"response":1,"statusCode":"200"}' },
      /"\/statusCode"/,
    ],
    'a code that is not listed': [{ ...missing, text: problem({ code: 'oops' }) }, /"\/code"/],
    'a missing header': [
      { ...validReply, headers: { ...json, 'x-request-id': undefined } },
      /header x-request-id/,
    ],
    'a 401 without a challenge': [
      { ...missing, url: validReply.url, status: 401 },
      /header www-authenticate/,
    ],
    'a problem document without its members': [
      { ...passed, status: 502, headers: refused, text: '{}' },
      /required/,
    ],
  };
  for (const [what, [reply, fault]] of Object.entries(notAsDocumented))
    it(`reports ${what}`, () => {
      assert.match(check(reply).join('\n'), fault);
    });
});
