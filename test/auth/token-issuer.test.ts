import assert from 'node:assert/strict';
import { openLocalIssuer } from '../../src/auth/local-issuer.js';
import { createTokenIssuer } from '../../src/auth/token-issuer.js';
import { createVerifier } from '../../src/auth/verifier.js';
import { openStore } from '../../src/storage/open-store.js';
import type { Store } from '../../src/storage/store.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';
import { acceptNow } from './fixtures.js';

const ADA = { kind: 'user', name: 'ada', roles: ['admin', 'viewer'], mark: 'of-ada' } as const;

describe('the desk of tokens', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore('sqlite::memory:');
  });
  afterEach(() => store.close());

  async function open() {
    const scheduler = createFakeScheduler();
    const keyFile = `${temporaryFolder().path}/key.pem`;
    const local = await openLocalIssuer({ keyFile, clock: scheduler, tokenTtlSeconds: 1, createKey: true });
    const verifier = createVerifier({ issuers: [local.issuer], clock: scheduler });
    const desk = createTokenIssuer({ local, scheduler, store: store.sessions });
    const other = createTokenIssuer({ local, scheduler, store: store.sessions });
    return { scheduler, desk, other, verifier };
  }

  it('gives tokens that are accepted, for as long as it says', async () => {
    const { desk, verifier, scheduler } = await open();
    const { token, expiresIn } = desk.give(ADA, 600);
    const principal = acceptNow(verifier, token);
    assert.deepEqual([principal.subject, principal.roles], ['ada', ['admin', 'viewer']]);
    assert.deepEqual([expiresIn, principal.expiresAt * 1000], [600, scheduler.now() + 600_000]);
  });

  it('lists what is valid, oldest first, and shows of a token the first characters of its id', async () => {
    const { desk, scheduler } = await open();
    const first = desk.give(ADA, 60);
    await scheduler.pass(1_000);
    const second = desk.give({ ...ADA, kind: 'client', name: 'backup' }, 120);
    assert.deepEqual(await desk.sessions(), [first.session, second.session]);
    const { id, issuedAt, ...rest } = first.session;
    assert.match(id, /^[0-9a-f-]{36}$/);
    const expiresAt = issuedAt + 60_000;
    assert.deepEqual(rest, { user: 'ada', kind: 'user', expiresAt, token: `${id.slice(0, 8)}...` });
    const listed = JSON.stringify(await desk.sessions());
    for (const part of first.token.split('.')) assert.ok(!listed.includes(part));
    await scheduler.pass(59_000);
    assert.deepEqual(await desk.sessions(), [second.session]);
  });

  it('gives an account as many tokens as it asks for, and ends none for that', async () => {
    const { desk, verifier } = await open();
    const tokens = Array.from({ length: 20 }, () => desk.give(ADA, 60).token);
    assert.equal(new Set(tokens).size, 20);
    for (const token of tokens) assert.equal(acceptNow(verifier, token).subject, 'ada');
    assert.equal((await desk.sessions()).length, 20);
  });

  it('lists what other desks gave, within a second', async () => {
    const { desk, other, scheduler } = await open();
    const { session } = desk.give(ADA, 60);
    assert.deepEqual(await other.sessions(), []);
    await scheduler.pass(1_000);
    await eventually(async () => {
      assert.deepEqual(await other.sessions(), [session]);
    });
  });

  it('writes down what it gave last when it closes', async () => {
    const { desk, other } = await open();
    const { session } = desk.give(ADA, 60);
    await desk.close();
    assert.deepEqual(await other.sessions(), [session]);
  });
});
