import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from '../support/cookie-browser.js';
import { callUrl } from '../support/call.js';
import { ADA, problemOf, type SignInServer, startSignInServer } from '../support/sign-in-server.js';

describe('identity review 2: lock-outs by wrong tokens and failed sign-ins', () => {
  let testServer: SignInServer;
  before(async () => {
    testServer = await startSignInServer();
    const file = join(testServer.folder, 'gatehouse.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('perUser: 60', 'perUser: 3, perAddress: 10'));
    assert.deepEqual(await testServer.running.reload(), []);
  });
  after(() => testServer.close());
  beforeEach(() => {
    testServer.provider.mood = {};
  });

  const paste = async (token: string): Promise<number> => {
    const headers = { 'x-gatehouse-csrf': '1' };
    return (await callUrl(`${testServer.url}/console/session`, { body: { token }, headers })).status;
  };
  const signIn = () => testServer.signIn(new Browser());
  const signsIn = async (): Promise<void> => {
    assert.equal((await signIn()).url, `${testServer.url}/docs`);
  };
  /** The provider has forgotten the audience mapper for this person. */
  const failFor = async (sub: string): Promise<string | null> => {
    testServer.provider.mood = { access: { sub, aud: 'others' }, id: { sub } };
    const problem = problemOf(await signIn());
    testServer.provider.mood = {};
    return problem;
  };

  it('a person who fails again and again locks out nobody else, and is not locked out', async () => {
    for (let time = 0; time < 3; time += 1) assert.equal(await failFor('carol'), 'not_accepted');
    assert.equal(await failFor('carol'), 'too_many_requests');
    for (const sub of ['dave', 'erin']) assert.equal(await failFor(sub), 'not_accepted');
    testServer.provider.mood = { access: { sub: 'carol' }, id: { sub: 'carol' } };
    await signsIn();
  });

  it('finding F9: wrong pasted tokens from an address block neither sign-ins through the provider nor passwords', async () => {
    const statuses = [];
    for (let time = 0; time < 12; time += 1) statuses.push(await paste('a.b.c'));
    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429]);
    await signsIn();
    assert.equal(await failFor('frank'), 'not_accepted');
    const claims = { sub: 'grace', aud: 'gatehouse', realm_access: { roles: ['net-ops'] } };
    assert.equal(await paste(await testServer.provider.sign(claims)), 200);
    assert.equal((await callUrl(`${testServer.url}/login`, { body: ADA })).status, 200);
    const records = await testServer.records();
    for (const outcome of ['401 unauthorized', '429 too_many_requests'])
      assert.ok(records.includes(`login.openSession ${outcome}, a pasted token, from 127.0.0.1`), outcome);
  });

  it('tokens of a person with a valid signature count for the person, not for the address', async () => {
    const token = await testServer.provider.sign({ sub: 'heidi', aud: 'others' });
    const statuses = [];
    for (let time = 0; time < 5; time += 1) statuses.push(await paste(token));
    assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
    await signsIn();
  });
});
