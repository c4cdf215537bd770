import assert from 'node:assert/strict';
import { createAttempts } from '../../../src/auth/login-attempts.js';
import { type AttemptStore, type RequestHead, STYLES, type ThrottleKey } from '../../../src/core/login.js';
import { attemptsWithTimeout, authenticateWith } from '../../../src/features/login/index.js';
import { openStore } from '../../../src/features/open-store.js';
import type { ActiveSnapshot } from '../../../src/server/state/snapshot.js';
import type { SnapshotHolder } from '../../../src/server/state/swap.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const PLACE: ThrottleKey = { kind: 'account', name: 'ada', limit: 3, windowMs: 60_000 };

describe('authenticateWith', () => {
  const open = (publicOrigin: string) => {
    const principal = { subject: 'ada', issuer: 'idp', roles: [], expiresAt: 1 };
    const snapshot = {
      verifier: { verify: () => principal },
      logins: { accept: new Set(STYLES) },
      signIns: { publicOrigin },
    };
    const use = (work: (one: typeof snapshot) => unknown) => work(snapshot);
    const current = { use } as unknown as SnapshotHolder<ActiveSnapshot>;
    const lines: unknown[] = [];
    const log = { warn: (text: string, fields?: object) => void lines.push({ text, ...fields }) };
    const authenticate = authenticateWith({ current, clock: { now: () => 0 }, log });
    const head = { method: 'GET', address: '192.0.2.1' };
    const ask = (headers: Readonly<Record<string, string>>, target = '/', isOverTls = false) =>
      authenticate({ ...head, header: (name) => headers[name], target, isOverTls } satisfies RequestHead);
    return { ask, lines };
  };

  it('finding F17: logs the first token in a query, and no further one', async () => {
    const { ask, lines } = open('');
    await ask({ authorization: 'Bearer a.b.c' });
    assert.deepEqual(lines, []);
    await ask({}, '/?token=a.b.c');
    await ask({}, '/?token=a.b.c');
    const text = 'a caller sends its token in the query, which proxies and browsers store; use a header';
    assert.deepEqual(lines, [{ text, subject: 'ada', issuer: 'idp', setting: 'auth.local.accept' }]);
  });

  it('finding F17: ignores a planted cookie of a browser if the listener or the public URL uses TLS', async () => {
    const headers = { cookie: 'token=a.b.c', 'sec-fetch-site': 'same-origin' };
    await open('http://gateway.test').ask(headers);
    await assert.rejects(async () => open('https://gateway.test').ask(headers), { code: 'unauthorized' });
    await assert.rejects(async () => open('').ask(headers, '/', true), { code: 'unauthorized' });
  });
});

describe('attemptsWithTimeout', () => {
  const scheduler = createFakeScheduler();
  const over = (count: AttemptStore['count']): AttemptStore =>
    attemptsWithTimeout({ count, takeBack: () => Promise.resolve() }, scheduler);

  it('passes on a result and a failure that arrive in time', async () => {
    assert.equal(await over(() => Promise.resolve(undefined)).count([PLACE], 0), undefined);
    await assert.rejects(over(() => Promise.reject(new Error('away'))).count([PLACE], 0), /away/);
    assert.equal(scheduler.next(), undefined);
  });

  it('locks in total at the limit in processes whose monotonic clocks differ by an hour (bug: never)', async () => {
    const store = await openStore('sqlite::memory:');
    const shared = attemptsWithTimeout(store.attempts, scheduler);
    const [first, second] = [0, 3_600_000].map((aheadMs) =>
      createAttempts({ clock: { now: () => scheduler.now() + aheadMs }, shared }),
    );
    const settings = { perUser: 3, perAddress: 100, windowSeconds: 60 };
    const ada = { name: 'ada', isKnown: true, address: '192.0.2.1' };
    for (const process of [first, second, first]) assert.ok(await process?.count(ada, settings));
    await scheduler.pass(20_000);
    for (const process of [second, first]) {
      assert.equal(await process?.count(ada, settings), undefined);
      assert.equal(process?.waitMs(ada, settings), 40_000);
    }
    await store.close();
  });

  it('fails after a second when the database does not answer', async () => {
    const counted = over(() => new Promise(() => undefined)).count([PLACE], 0);
    const failed = assert.rejects(counted, /did not arrive in time/);
    assert.equal(scheduler.next(), 1_000);
    await scheduler.pass(1_000);
    await failed;
  });
});
