import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditRecord } from '../../src/core/audit.js';
import { openStore } from '../../src/features/open-store.js';
import { callUrl, type CallResult } from '../support/call.js';
import { cheapHash } from '../support/password-hash.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PASSWORDS = { ada: 'pw-2f7c-of-ada', bob: 'pw-93ab-of-bob', cleo: 'pw-51de-of-cleo' } as const;
const SECRET = 's3cret-7a7a-of-backup';
const READ = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

type Person = keyof typeof PASSWORDS;
type Headers = Readonly<Record<string, string>>;

const basic = (name: string, password: string): Headers => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

const HASHES = new Map(Object.entries(PASSWORDS).map(([name, password]) => [name, cheapHash(password)]));

/** Returns the block `auth` with these people and one client, whose hash is in Vault. */
function authBlock(people: readonly Person[] = ['ada', 'bob', 'cleo'], more = ''): string {
  const users = people.map(
    (name) => `{ username: ${name}, passwordHash: '${HASHES.get(name) ?? ''}', roles: [admin] }`,
  );
  const client =
    '{ clientId: backup, clientSecretHash: $VAULT_adapters/logins#backup, roles: [engineering] }';
  return `auth: { local: { keyFile: data/local-issuer.pem, attempts: { perUser: 3 }, ${more}
  users: [${users.join(', ')}], clients: [${client}] } }`;
}

describe('the login, from the configuration to the orchestrator', () => {
  const { path: folder } = temporaryFolder();
  let token: string;
  let original: string | undefined;
  /** Secrets that must not appear in any output. */
  const secrets: string[] = [...Object.values(PASSWORDS), SECRET];

  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({
      folder,
      secrets: { 'adapters/logins': { backup: cheapHash(SECRET) } },
      arrange: () => {
        configure(authBlock());
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

  async function reload(auth = authBlock()): Promise<void> {
    configure(auth);
    assert.deepEqual(await testServer.running.reload(), []);
  }

  async function logIn(name: Person, password: string = PASSWORDS[name]): Promise<CallResult> {
    const reply = await callUrl(`${testServer.url}/login`, { body: { user: { username: name, password } } });
    if (reply.status === 200) secrets.push(reply.text, ...reply.text.split('.').slice(1));
    return reply;
  }

  const read = (headers: Headers, query = ''): Promise<CallResult> =>
    callUrl(`${testServer.url}/orchestrator_manager/restQuery/core1${query}`, { body: READ, headers });
  const readStatus = async (headers: Headers, query = ''): Promise<number> =>
    (await read(headers, query)).status;

  const askToken = async (fields: Record<string, string>, headers: Headers = {}) => {
    const { status, json } = await callUrl(`${testServer.url}/oauth/token`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      text: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
    });
    const { access_token: given = '', error } = json as { access_token?: string; error?: string };
    if (given) secrets.push(given);
    return { status, given, error };
  };

  it('issues a token to a user, as text and as a cookie', async () => {
    const reply = await logIn('ada');
    assert.equal(reply.status, 200);
    token = reply.text;
    assert.match(token, /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    const cookie = `token=${token}; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict`;
    assert.equal(reply.headers['set-cookie'], cookie);
    const wrong = { username: 'ada', password: 'x' };
    assert.equal((await callUrl(`${testServer.url}/login/`, { body: wrong })).status, 401);
  });

  it('issues a token to a client, with its secret in the form or as Basic', async () => {
    const inForm = await askToken({ client_id: 'backup', client_secret: SECRET });
    const inHeader = await askToken({}, basic('backup', SECRET));
    for (const { status, given } of [inForm, inHeader])
      assert.deepEqual([status, await readStatus(bearer(given))], [200, 403]);
    const refused = await askToken({ client_id: 'backup', client_secret: 'wr0ng' });
    assert.deepEqual([refused.status, refused.error], [401, 'invalid_client']);
  });

  it('passes no credentials of the caller to the orchestrator', async () => {
    const pass = async (headers: Headers, query = ''): Promise<number> => {
      const path = `/proxy/core1/restconf/data/ietf-interfaces:interfaces${query}`;
      return (await callUrl(testServer.url + path, { method: 'GET', headers })).status;
    };
    const password = basic('ada', PASSWORDS.ada);
    assert.equal(await pass({ cookie: `token=${token}` }), 401);
    assert.equal(await pass({}, `?token=${token}`), 401);
    assert.equal(await pass(password, `?token=${token}`), 400);
    const seen = testServer.orchestrator.requests.length;
    assert.equal(await pass({ ...password, cookie: `a=1; token=${token}; b=2` }), 200);
    assert.equal(await pass({ ...bearer(token), cookie: `token=${token}` }), 200);
    const passed = testServer.orchestrator.requests.slice(seen);
    assert.equal(passed.length, 2);
    for (const { headers } of passed) assert.equal(headers['cookie'], undefined);
    for (const secret of [...secrets, password['authorization']?.slice(6) ?? ''])
      assert.ok(!JSON.stringify(testServer.orchestrator.requests).includes(secret));
  });

  it('locks a user after too many wrong passwords in any scheme, also for the correct password', async () => {
    assert.equal((await logIn('bob', 'wr0ng')).status, 401);
    assert.equal(await readStatus(basic('bob', 'wr0ng')), 401);
    assert.equal((await logIn('bob', 'wr0ng-too')).status, 401);
    const locked = await logIn('bob');
    assert.equal(locked.status, 429);
    assert.ok(Number(locked.headers['retry-after']) > 800);
    assert.equal(await readStatus(basic('bob', PASSWORDS.bob)), 429);
    assert.equal((await logIn('cleo')).status, 200);
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1)
      statuses.push((await askToken({ client_id: 'another', client_secret: 'wr0ng' })).status);
    assert.deepEqual(statuses, [401, 401, 401, 429]);
  });

  it('disables a scheme or the built-in issuer at the next reload, and keeps the lock', async () => {
    const schemes: readonly Parameters<typeof read>[] = [
      [{ cookie: `token=${token}` }],
      [{}, `?token=${token}`],
      [basic('ada', PASSWORDS.ada)],
    ];
    for (const scheme of schemes) assert.equal(await readStatus(...scheme), 200);
    await reload(authBlock(['ada', 'bob', 'cleo'], 'accept: [bearer],'));
    for (const scheme of schemes) assert.equal(await readStatus(...scheme), 401);
    assert.equal(await readStatus(bearer(token)), 200);
    assert.equal((await logIn('bob')).status, 429);
    await reload('auth: { local: { keyFile: data/local-issuer.pem, enabled: false } }');
    assert.equal((await logIn('ada')).status, 401);
    await reload();
  });

  it('applies the current roles of the user, and refuses tokens from before a password change', async () => {
    const { text: given } = await logIn('cleo');
    const { text: other } = await logIn('ada');
    const hash = HASHES.get('cleo') ?? '';
    const block = authBlock();
    await reload(block.replace(`${hash}', roles: [admin]`, () => `${hash}', roles: [engineering]`));
    assert.equal(await readStatus(bearer(given)), 403);
    await reload(block);
    assert.equal(await readStatus(bearer(given)), 200);
    await reload(block.replace(hash, () => cheapHash(`${PASSWORDS.cleo}-anew`)));
    assert.equal(await readStatus(bearer(given)), 401);
    assert.equal(await readStatus(bearer(other)), 200);
  });

  it('refuses a removed user and the earlier tokens of this user', async () => {
    await reload();
    const { text: given } = await logIn('cleo');
    assert.equal(await readStatus(bearer(given)), 200);
    await reload(authBlock(['ada', 'bob']));
    assert.equal((await logIn('cleo')).status, 401);
    assert.equal(await readStatus(basic('cleo', PASSWORDS.cleo)), 401);
    assert.equal(await readStatus(bearer(given)), 401);
  });

  it('records every login with name, result and address', async () => {
    const logins = (await recordsIn(folder)).filter(({ operation }) => operation.startsWith('login.'));
    const outcomes = logins.map(({ status, outcome }) => `${status} ${outcome}`).join('\n');
    for (const what of [
      '200 token [0-9a-f]{8}\\.\\.\\. given, ada',
      '200 token [0-9a-f]{8}\\.\\.\\. given, backup',
      '401 invalid_credentials, bob',
      '401 invalid_credentials, unknown user [0-9a-f]{12}',
      '429 too_many_requests, bob',
    ])
      assert.match(outcomes, new RegExp(`^${what}, from 127\\.0\\.0\\.1$`, 'm'));
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
