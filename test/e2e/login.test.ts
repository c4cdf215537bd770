import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import type { AuditRecord } from '../../src/core/audit.js';
import { openStore } from '../../src/storage/open-store.js';
import { callUrl, type CallOptions, type CallResult } from '../support/call.js';
import { cheapHash } from '../support/password-hash.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PASSWORDS = { ada: 'pw-2f7c-of-ada', bob: 'pw-93ab-of-bob', cleo: 'pw-51de-of-cleo' } as const;
const SECRET = 's3cret-7a7a-of-backup';
const READ = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

type Person = keyof typeof PASSWORDS;

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

const HASHES = new Map(Object.entries(PASSWORDS).map(([name, password]) => [name, cheapHash(password)]));

/** Returns the block `auth` with these people and one client, whose hash is in Vault. */
function authBlock(people: readonly Person[], more = ''): string {
  const users = people.map(
    (name) => `{ username: ${name}, passwordHash: '${HASHES.get(name) ?? ''}', roles: [admin] }`,
  );
  const client =
    '{ clientId: backup, clientSecretHash: $VAULT_adapters/logins#backup, roles: [engineering] }';
  return `auth: { local: { keyFile: data/local-issuer.pem, attempts: { perUser: 3 }, ${more}
  users: [${users.join(', ')}], clients: [${client}] } }`;
}

describe('the login, from the configuration to the orchestrator', () => {
  let testServer: TestServer;
  let folder: string;
  let token: string;
  let original: string | undefined;
  /** Secrets that must not appear in any output. */
  const secrets: string[] = [...Object.values(PASSWORDS), SECRET];

  before(async () => {
    folder = temporaryFolder().path;
    testServer = await startTestServer({
      folder,
      arrange: (_folder, vault) => {
        vault.putSecret({ path: 'adapters/logins' }, { backup: cheapHash(SECRET) });
        configure(authBlock(['ada', 'bob', 'cleo']));
      },
    });
  });
  after(() => testServer.close());

  /** Writes the main file with a new block `auth`. */
  function configure(auth: string): void {
    const path = join(folder, 'gatehouse.yaml');
    original ??= readFileSync(path, 'utf8');
    writeFileSync(
      path,
      original.replace(/^auth: .*$/m, () => auth),
    );
  }

  async function reload(auth: string): Promise<void> {
    configure(auth);
    assert.deepEqual(await testServer.running.reload(), []);
  }

  async function logIn(name: Person, password: string = PASSWORDS[name]): Promise<CallResult> {
    const reply = await callUrl(`${testServer.url}/login`, { body: { user: { username: name, password } } });
    if (reply.status === 200) secrets.push(reply.text, ...reply.text.split('.').slice(1));
    return reply;
  }

  const read = (headers: Readonly<Record<string, string>>, query = ''): Promise<CallResult> =>
    callUrl(`${testServer.url}/orchestrator_manager/restQuery/core1${query}`, { body: READ, headers });

  const askToken = async (fields: Record<string, string>, headers: CallOptions['headers'] = {}) => {
    const { statusCode, body } = await request(`${testServer.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
    });
    const json = (await body.json()) as { access_token?: string; error?: string };
    if (json.access_token !== undefined) secrets.push(json.access_token);
    return { status: statusCode, ...json };
  };

  const methodsOf = async (bearer: string): Promise<Readonly<Record<string, readonly string[]>>> => {
    const { json } = await callUrl(`${testServer.url}/whoami`, { method: 'GET', token: bearer });
    return (json as { methods: Record<string, string[]> }).methods;
  };

  it('issues a token to a user, as text and as a cookie', async () => {
    const reply = await logIn('ada');
    assert.equal(reply.status, 200);
    token = reply.text;
    assert.match(token, /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.equal(
      reply.headers['set-cookie'],
      `token=${token}; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict`,
    );
    assert.equal(
      (await callUrl(`${testServer.url}/login/`, { body: { username: 'ada', password: 'x' } })).status,
      401,
    );
  });

  it('accepts the token and the password in every authentication scheme', async () => {
    assert.equal((await read({ authorization: `Bearer ${token}` })).status, 200);
    assert.equal((await read({ cookie: `other=1; token=${token}` })).status, 200);
    assert.equal((await read({}, `?token=${token}`)).status, 200);
    assert.equal((await read({ authorization: basic('ada', PASSWORDS.ada) })).status, 200);
    const { status, json } = await read({ authorization: basic('ada', 'wr0ng') });
    assert.deepEqual([status, (json as { code: string }).code], [401, 'unauthorized']);
  });

  it('refuses a cookie in a request from another site', async () => {
    const cookie = `token=${token}`;
    assert.equal((await read({ cookie, 'sec-fetch-site': 'cross-site' })).status, 401);
    assert.equal((await read({ cookie, 'sec-fetch-site': 'same-site' })).status, 401);
    assert.equal((await read({ cookie, origin: 'http://evil.example' })).status, 401);
    const own = { cookie, 'sec-fetch-site': 'same-origin' };
    assert.equal((await read({ ...own, 'x-gatehouse-csrf': '1' })).status, 200);
    const unmarked = await read(own);
    assert.deepEqual([unmarked.status, (unmarked.json as { code: string }).code], [403, 'csrf_refused']);
  });

  it('issues a token to a client, with its secret in the form or as Basic', async () => {
    const inForm = await askToken({ client_id: 'backup', client_secret: SECRET });
    const inHeader = await askToken({}, { authorization: basic('backup', SECRET) });
    for (const { status, access_token: given = '' } of [inForm, inHeader]) {
      assert.equal(status, 200);
      assert.equal((await read({ authorization: `Bearer ${given}` })).status, 403);
      assert.deepEqual((await methodsOf(given))['Tools'], ['restCall']);
    }
    const refused = await askToken({ client_id: 'backup', client_secret: 'wr0ng' });
    assert.deepEqual([refused.status, refused.error], [401, 'invalid_client']);
  });

  it('passes no credentials of the caller to the orchestrator', async () => {
    const pass = (headers: Readonly<Record<string, string>>, query = '') =>
      callUrl(`${testServer.url}/proxy/core1/restconf/data/ietf-interfaces:interfaces${query}`, {
        method: 'GET',
        headers,
      });
    assert.equal((await pass({ cookie: `token=${token}` })).status, 401);
    assert.equal((await pass({}, `?token=${token}`)).status, 401);
    const authorization = basic('ada', PASSWORDS.ada);
    assert.equal((await pass({ authorization }, `?token=${token}`)).status, 400);
    const seen = testServer.orchestrator.requests.length;
    assert.equal((await pass({ authorization, cookie: `a=1; token=${token}; b=2` })).status, 200);
    assert.equal((await pass({ authorization: `Bearer ${token}`, cookie: `token=${token}` })).status, 200);
    const passed = testServer.orchestrator.requests.slice(seen);
    assert.equal(passed.length, 2);
    for (const { headers } of passed) assert.equal(headers['cookie'], undefined);
    for (const secret of [...secrets, authorization.slice(6)])
      assert.ok(!JSON.stringify(testServer.orchestrator.requests).includes(secret));
  });

  it('returns the methods that the current roles permit', async () => {
    const before = await methodsOf(token);
    assert.ok(before['OrchestratorManager']?.includes('restQuery'));
    await reload(`${authBlock(['ada', 'bob', 'cleo'])}\nroles: { orchestrator-manager.restQuery: [viewer] }`);
    assert.ok(!(await methodsOf(token))['OrchestratorManager']?.includes('restQuery'));
    await reload(authBlock(['ada', 'bob', 'cleo']));
  });

  it('locks a user after too many wrong passwords in any scheme, also for the correct password', async () => {
    assert.equal((await logIn('bob', 'wr0ng')).status, 401);
    assert.equal((await read({ authorization: basic('bob', 'wr0ng') })).status, 401);
    assert.equal((await logIn('bob', 'wr0ng-too')).status, 401);
    const locked = await logIn('bob');
    assert.equal(locked.status, 429);
    assert.ok(Number(locked.headers['retry-after']) > 800);
    assert.equal((await read({ authorization: basic('bob', PASSWORDS.bob) })).status, 429);
    assert.equal((await logIn('cleo')).status, 200);
  });

  it('counts wrong client secrets as well', async () => {
    for (let time = 0; time < 2; time += 1) await askToken({ client_id: 'backup', client_secret: 'wr0ng' });
    assert.equal((await askToken({ client_id: 'backup', client_secret: SECRET })).status, 429);
  });

  it('disables a scheme at the next reload, and keeps the lock', async () => {
    await reload(`${authBlock(['ada', 'bob', 'cleo'], 'accept: [bearer],')}\n`);
    assert.equal((await read({ authorization: `Bearer ${token}` })).status, 200);
    assert.equal((await read({ cookie: `token=${token}` })).status, 401);
    assert.equal((await read({}, `?token=${token}`)).status, 401);
    assert.equal((await read({ authorization: basic('ada', PASSWORDS.ada) })).status, 401);
    assert.equal((await logIn('bob')).status, 429);
    assert.equal((await logIn('ada')).status, 200);
  });

  it('applies the current roles of the user, and refuses tokens from before a password change', async () => {
    const { text: given } = await logIn('cleo');
    const { text: other } = await logIn('ada');
    const hash = HASHES.get('cleo') ?? '';
    const reading = async (): Promise<number> => (await read({ authorization: `Bearer ${given}` })).status;
    const block = authBlock(['ada', 'bob', 'cleo']);
    await reload(block.replace(`${hash}', roles: [admin]`, () => `${hash}', roles: [engineering]`));
    assert.equal(await reading(), 403);
    await reload(block);
    assert.equal(await reading(), 200);
    await reload(block.replace(hash, () => cheapHash(`${PASSWORDS.cleo}-anew`)));
    assert.equal(await reading(), 401);
    assert.equal((await read({ authorization: `Bearer ${other}` })).status, 200);
  });

  it('refuses a removed user and the earlier tokens of this user', async () => {
    await reload(authBlock(['ada', 'bob', 'cleo']));
    const { text: given } = await logIn('cleo');
    assert.equal((await read({ authorization: `Bearer ${given}` })).status, 200);
    await reload(authBlock(['ada', 'bob']));
    assert.equal((await logIn('cleo')).status, 401);
    assert.equal((await read({ authorization: basic('cleo', PASSWORDS.cleo) })).status, 401);
    assert.equal((await read({ authorization: `Bearer ${given}` })).status, 401);
  });

  it('issues no tokens while the built-in issuer is disabled', async () => {
    await reload('auth: { local: { keyFile: data/local-issuer.pem, enabled: false } }');
    assert.equal((await logIn('ada')).status, 401);
    await reload(authBlock(['ada', 'bob']));
    assert.equal((await logIn('ada')).status, 200);
  });

  it('records every login with name, result and address', async () => {
    const logins = (await recordsIn(folder)).filter(({ operation }) => operation.startsWith('login.'));
    const outcomes = logins.map(({ status, outcome }) => `${status} ${outcome}`).join('\n');
    assert.match(outcomes, /^200 token [0-9a-f]{8}\.\.\. given, ada, from 127\.0\.0\.1$/m);
    assert.match(outcomes, /^200 token [0-9a-f]{8}\.\.\. given, backup, from 127\.0\.0\.1$/m);
    assert.match(outcomes, /^401 invalid_credentials, bob, from 127\.0\.0\.1$/m);
    assert.match(outcomes, /^401 invalid_credentials, unknown user [0-9a-f]{12}, from 127\.0\.0\.1$/m);
    assert.match(outcomes, /^429 too_many_requests, bob, from 127\.0\.0\.1$/m);
  });

  it('writes no token and no password to the log or the audit trail', async () => {
    const kept = [testServer.logLines.join(''), readFileSync(join(folder, 'data', 'gatehouse.log'), 'utf8')];
    const all = [...kept, JSON.stringify(await recordsIn(folder))].join('\n');
    assert.ok(all.includes('/oauth/token') && secrets.length > 10);
    for (const secret of [...secrets, 'wr0ng', '?token=']) assert.ok(!all.includes(secret));
  });
});

async function recordsIn(folder: string): Promise<readonly AuditRecord[]> {
  const store = await openStore(`sqlite:${join(folder, 'data', 'gatehouse.db')}`);
  const records = await store.recentAudit(10_000);
  await store.close();
  return records;
}
