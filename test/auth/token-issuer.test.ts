import assert from 'node:assert/strict';
import { openLocalIssuer } from '../../src/auth/local-issuer.js';
import { createTokenIssuer } from '../../src/auth/token-issuer.js';
import { createVerifier } from '../../src/auth/verifier.js';
import { openStore } from '../../src/features/open-store.js';
import type { Store } from '../../src/features/store.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';
import { acceptNow } from './fixtures.js';

const ADA = { kind: 'user', name: 'ada', roles: ['admin', 'viewer'], mark: 'of-ada' } as const;

describe('createTokenIssuer', () => {
  let store: Store;
  beforeEach(async () => (store = await openStore('sqlite::memory:')));
  afterEach(() => store.close());

  async function open() {
    const scheduler = createFakeScheduler();
    const keyFile = `${temporaryFolder().path}/key.pem`;
    const local = await openLocalIssuer({ keyFile, clock: scheduler, tokenTtlSeconds: 1, createKey: true });
    const verifier = createVerifier({ issuers: [local.issuer], clock: scheduler });
    const issuer = createTokenIssuer({ local, scheduler, store: store.sessions });
    const other = createTokenIssuer({ local, scheduler, store: store.sessions });
    return { scheduler, issuer, other, verifier };
  }

  it('issues tokens that the verifier accepts for the requested lifetime', async () => {
    const { issuer, verifier, scheduler } = await open();
    const { token, expiresIn } = issuer.give(ADA, 600);
    const principal = acceptNow(verifier, token);
    assert.deepEqual([principal.subject, principal.roles], ['ada', ['admin', 'viewer']]);
    assert.deepEqual([expiresIn, principal.expiresAt * 1000], [600, scheduler.now() + 600_000]);
  });

  it('lists valid sessions, oldest first, with only the first characters of the token id', async () => {
    const { issuer, scheduler } = await open();
    const first = issuer.give(ADA, 60);
    await scheduler.pass(1_000);
    const second = issuer.give({ ...ADA, kind: 'client', name: 'backup' }, 120);
    assert.deepEqual(await issuer.sessions(), [first.session, second.session]);
    const { id, issuedAt, ...rest } = first.session;
    assert.match(id, /^[0-9a-f-]{36}$/);
    const expiresAt = issuedAt + 60_000;
    assert.deepEqual(rest, { user: 'ada', kind: 'user', expiresAt, token: `${id.slice(0, 8)}...` });
    const listed = JSON.stringify(await issuer.sessions());
    for (const part of first.token.split('.')) assert.ok(!listed.includes(part));
    await scheduler.pass(59_000);
    assert.deepEqual(await issuer.sessions(), [second.session]);
  });

  it('issues any number of tokens for an account and keeps all of them valid', async () => {
    const { issuer, verifier } = await open();
    const tokens = Array.from({ length: 20 }, () => issuer.give(ADA, 60).token);
    assert.equal(new Set(tokens).size, 20);
    for (const token of tokens) assert.equal(acceptNow(verifier, token).subject, 'ada');
    assert.equal((await issuer.sessions()).length, 20);
  });

  it('lists the sessions of other issuers within a second', async () => {
    const { issuer, other, scheduler } = await open();
    const { session } = issuer.give(ADA, 60);
    assert.deepEqual(await other.sessions(), []);
    await scheduler.pass(1_000);
    await eventually(async () => {
      assert.deepEqual(await other.sessions(), [session]);
    });
  });

  it('stores pending sessions when it closes', async () => {
    const { issuer, other } = await open();
    const { session } = issuer.give(ADA, 60);
    await issuer.close();
    assert.deepEqual(await other.sessions(), [session]);
  });
});
