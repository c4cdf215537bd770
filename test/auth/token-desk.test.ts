import assert from 'node:assert/strict';
import { openLocalIssuer } from '../../src/auth/local-issuer.js';
import { createTokenDesk } from '../../src/auth/token-desk.js';
import { createVerifier } from '../../src/auth/verifier.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { acceptNow } from './fixtures.js';

const ADA = { kind: 'user', name: 'ada', roles: ['admin', 'viewer'] } as const;

describe('the desk of tokens', () => {
  async function open(clock: FakeScheduler, size?: number) {
    const keyFile = `${temporaryFolder().path}/key.pem`;
    const local = await openLocalIssuer({ keyFile, clock, tokenTtlSeconds: 1, createKey: true });
    const desk = createTokenDesk({ local, clock, ...(size !== undefined && { size }) });
    return { desk, verifier: createVerifier({ issuers: [local.issuer], clock }) };
  }

  it('gives tokens that are accepted, for as long as it says', async () => {
    const clock = createFakeScheduler();
    const { desk, verifier } = await open(clock);
    const { token, expiresIn } = desk.give(ADA, 600);
    const principal = acceptNow(verifier, token);
    assert.deepEqual([principal.subject, principal.roles], ['ada', ['admin', 'viewer']]);
    assert.deepEqual([expiresIn, principal.expiresAt * 1000], [600, clock.now() + 600_000]);
  });

  it('lists what is valid, oldest first, and shows of a token the first characters of its id', async () => {
    const clock = createFakeScheduler();
    const { desk } = await open(clock);
    const first = desk.give(ADA, 60);
    const second = desk.give({ kind: 'client', name: 'backup', roles: ['admin'] }, 120);
    assert.deepEqual(desk.sessions(), [first.session, second.session]);
    const { id, ...rest } = first.session;
    assert.match(id, /^[0-9a-f-]{36}$/);
    const times = { issuedAt: clock.now(), expiresAt: clock.now() + 60_000 };
    assert.deepEqual(rest, { user: 'ada', kind: 'user', ...times, token: `${id.slice(0, 8)}...` });
    for (const part of first.token.split('.')) assert.ok(!JSON.stringify(desk.sessions()).includes(part));
    await clock.pass(60_000);
    assert.deepEqual(desk.sessions(), [second.session]);
  });

  it('remembers so many and no more', async () => {
    const clock = createFakeScheduler();
    const { desk } = await open(clock, 3);
    const given = [1, 2, 3, 4, 5].map(() => desk.give(ADA, 60).session);
    assert.deepEqual(desk.sessions(), given.slice(2));
  });
});
