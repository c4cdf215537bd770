import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/problem.js';
import { ask } from '../../support/http-server.js';
import { assertMembers } from '../../support/members.js';
import { type LoginApiOptions, serveLogin } from './login-api.js';

const CLIENT = { client_id: 'backup', client_secret: 's3cret+%' };
const GRANT = { grant_type: 'client_credentials' };
const basic = (id: string, secret: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
/** The header of RFC 6749 section 2.3.1. */
const RIGHT = basic('backup', encodeURIComponent(CLIENT.client_secret));

function serve(options: LoginApiOptions = {}) {
  const served = serveLogin(options);
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const form = new URLSearchParams(fields).toString();
    return ask(served.api.post('/oauth/token').type('form').set(headers).send(form));
  };
  const postJson = (body: object) => ask(served.api.post('/oauth/token').send(body));
  return { ...served, post, postJson };
}

describe('POST /oauth/token', () => {
  const { post, postJson, attempts } = serve();

  for (const [what, asking] of [
    ['in the form', () => post({ ...GRANT, ...CLIENT })],
    ['in the form, with unknown members', () => post({ ...GRANT, ...CLIENT, scope: 'a' })],
    ['in JSON', () => postJson({ ...GRANT, ...CLIENT })],
    ['as Basic', () => post(GRANT, RIGHT)],
    ['as Basic, with the id in the form as well', () => post({ ...GRANT, client_id: 'backup' }, RIGHT)],
  ] as const)
    it(`accepts the secret ${what}`, async () => {
      const { status, body, headers } = await asking();
      assert.equal(status, 200);
      assert.deepEqual(body, { access_token: 'token-of-backup', token_type: 'Bearer', expires_in: 600 });
      assert.match(headers['content-type'] ?? '', /^application\/json/);
      assert.deepEqual([headers['cache-control'], headers['set-cookie']], ['no-store', undefined]);
    });

  it('rejects a wrong secret with 401, and with a Basic challenge if the request had an authorization header', async () => {
    const inForm = await post({ ...GRANT, ...CLIENT, client_secret: 'canary' });
    const inHeader = await post(GRANT, basic('backup', 'canary'));
    for (const { status, body } of [inForm, inHeader]) {
      assert.equal(status, 401);
      assertMembers(body, { error: 'invalid_client', message: 'Invalid credentials' });
    }
    assert.equal(inForm.headers['www-authenticate'], undefined);
    assert.match(inHeader.headers['www-authenticate'] ?? '', /^Basic realm="gatehouse"/);
    assert.doesNotMatch(inForm.text + inHeader.text, /canary/);
  });

  it('decodes Basic credentials as a form and uses them unchanged if that fails', async () => {
    await post(GRANT, basic('backup', '100%'));
    assert.equal(attempts.at(-1)?.password.reveal(), '100%');
    await post(GRANT, basic('backup', 'a+b%2B'));
    assert.equal(attempts.at(-1)?.password.reveal(), 'a b+');
  });

  it('rejects a user account', async () => {
    const { body } = await post({ ...GRANT, client_id: 'ada', client_secret: 'pw ada' });
    assert.equal(body['error'], 'invalid_client');
  });

  for (const [what, fields, headers, error] of [
    ['no grant', CLIENT, {}, 'invalid_request'],
    ['another grant', { ...CLIENT, grant_type: 'password' }, {}, 'unsupported_grant_type'],
    ['no id', { ...GRANT, client_secret: 'x' }, {}, 'invalid_request'],
    ['no secret', { ...GRANT, client_id: 'x' }, {}, 'invalid_request'],
    ['the secret twice', { ...GRANT, ...CLIENT }, RIGHT, 'invalid_request'],
    ['two ids', { ...GRANT, client_id: 'other' }, RIGHT, 'invalid_request'],
    ['a header that cannot be read', GRANT, { authorization: 'Basic !' }, 'invalid_request'],
  ] as const)
    it(`rejects a request with ${what} as ${error} before it checks any credentials`, async () => {
      const before = attempts.length;
      const { status, body } = await post(fields, headers);
      assert.deepEqual([status, body['error'], body['code']], [400, error, 'invalid_grant_request']);
      assert.equal(attempts.length, before);
    });

  it('rejects credentials that are too long', async () => {
    const { status, body } = await post({ ...GRANT, ...CLIENT, client_secret: 'x'.repeat(1025) });
    assert.deepEqual([status, body['code']], [400, 'invalid_request']);
    assert.equal((await post(GRANT, basic('backup', 'x'.repeat(1025)))).status, 400);
  });

  it('answers 503 with Retry-After while too many logins are checked', async () => {
    const failure = new Problem('login_busy', 'Later.', { headers: { 'retry-after': '2' } });
    const { status, headers } = await serve({ failure }).post(GRANT, RIGHT);
    assert.deepEqual([status, headers['retry-after']], [503, '2']);
  });

  it('writes audit records without secrets and tokens', async () => {
    const server = serve();
    await server.post(GRANT, RIGHT);
    await server.post({ ...GRANT, ...CLIENT, client_secret: 'canary' });
    await server.post({ grant_type: 'canary' });
    assertMembers(server.records, [
      { status: 200, outcome: /^token f00\.\.\. given, backup, from [\d.:a-f]+$/ },
      { status: 401, outcome: /^invalid_credentials, someone, from [\d.:a-f]+$/ },
      { status: 400, outcome: /^unsupported_grant_type, from [\d.:a-f]+$/ },
    ]);
    assert.doesNotMatch(JSON.stringify([server.records, server.lines]), /s3cret|canary|token-of/);
  });
});
