import assert from 'node:assert/strict';
import request from 'supertest';
import { Problem } from '../../../src/core/problem.js';
import { ask, buildHouse } from '../../support/http-server.js';
import { type DeskOptions, openDesk } from './desk.js';

const CLIENT = { client_id: 'backup', client_secret: 's3cret+%' };
const GRANT = { grant_type: 'client_credentials' };
const basic = (id: string, secret: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
/** As RFC 6749 section 2.3.1 wants it. */
const RIGHT = basic('backup', encodeURIComponent(CLIENT.client_secret));

function serve(options: DeskOptions = {}) {
  const desk = openDesk(options);
  const house = buildHouse({ operations: desk.operations, deps: { bodyBytes: 10_000 } });
  const api = request(house.handler);
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    ask(api.post('/oauth/token').type('form').set(headers).send(new URLSearchParams(fields).toString()));
  const postJson = (body: object) => ask(api.post('/oauth/token').send(body));
  return { ...desk, ...house, post, postJson };
}

describe('POST /oauth/token', () => {
  const { post, postJson, attempts } = serve();

  for (const [what, asking] of [
    ['in the form', () => post({ ...GRANT, ...CLIENT })],
    ['in the form, with members that nobody asked for', () => post({ ...GRANT, ...CLIENT, scope: 'a' })],
    ['in JSON', () => postJson({ ...GRANT, ...CLIENT })],
    ['as Basic', () => post(GRANT, RIGHT)],
    ['as Basic, with the id in the form as well', () => post({ ...GRANT, client_id: 'backup' }, RIGHT)],
  ] as const)
    it(`takes the secret ${what}`, async () => {
      const { status, body, headers } = await asking();
      assert.equal(status, 200);
      assert.deepEqual(body, { access_token: 'token-of-backup', token_type: 'Bearer', expires_in: 600 });
      assert.match(headers['content-type'] ?? '', /^application\/json/);
      assert.deepEqual([headers['cache-control'], headers['set-cookie']], ['no-store', undefined]);
    });

  it('tells a client that came without a header of its wrong secret, and one with a header of the scheme', async () => {
    const inForm = await post({ ...GRANT, ...CLIENT, client_secret: 'canary' });
    assert.deepEqual(
      [inForm.status, inForm.body['error'], inForm.body['message']],
      [401, 'invalid_client', 'Invalid credentials'],
    );
    assert.equal(inForm.headers['www-authenticate'], undefined);
    const inHeader = await post(GRANT, basic('backup', 'canary'));
    assert.deepEqual([inHeader.status, inHeader.body['error']], [401, 'invalid_client']);
    assert.match(inHeader.headers['www-authenticate'] ?? '', /^Basic realm="gatehouse"/);
    assert.doesNotMatch(inForm.text + inHeader.text, /canary/);
  });

  it('takes Basic that is no form encoding as it is', async () => {
    await post(GRANT, basic('backup', '100%'));
    assert.equal(attempts.at(-1)?.password.reveal(), '100%');
    await post(GRANT, basic('backup', 'a+b%2B'));
    assert.equal(attempts.at(-1)?.password.reveal(), 'a b+');
  });

  it('lets in no user', async () => {
    assert.equal(
      (await post({ ...GRANT, client_id: 'ada', client_secret: 'pw ada' })).body['error'],
      'invalid_client',
    );
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
    it(`refuses ${what} as ${error}, before anything is looked at`, async () => {
      const before = attempts.length;
      const { status, body } = await post(fields, headers);
      assert.deepEqual([status, body['error'], body['code']], [400, error, 'invalid_grant_request']);
      assert.equal(attempts.length, before);
    });

  it('bounds what it looks at', async () => {
    const { status, body } = await post({ ...GRANT, ...CLIENT, client_secret: 'x'.repeat(1025) });
    assert.deepEqual([status, body['code']], [400, 'invalid_request']);
    assert.equal((await post(GRANT, basic('backup', 'x'.repeat(1025)))).status, 400);
  });

  it('passes on that too many are looked at', async () => {
    const failure = new Problem('login_busy', 'Later.', { headers: { 'retry-after': '2' } });
    const { status, headers } = await serve({ failure }).post(GRANT, RIGHT);
    assert.deepEqual([status, headers['retry-after']], [503, '2']);
  });

  it('is recorded without secrets and tokens', async () => {
    const house = serve();
    await house.post(GRANT, RIGHT);
    await house.post({ ...GRANT, ...CLIENT, client_secret: 'canary' });
    await house.post({ grant_type: 'canary' });
    assert.deepEqual(
      house.records.map(({ status, outcome }) => [status, outcome.replace(/from .*/, 'from X')]),
      [
        [200, 'token f00... given, backup, from X'],
        [401, 'invalid_credentials, someone, from X'],
        [400, 'unsupported_grant_type, from X'],
      ],
    );
    assert.doesNotMatch(JSON.stringify([house.records, house.lines]), /s3cret|canary|token-of/);
  });
});
