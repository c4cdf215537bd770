import assert from 'node:assert/strict';
import { attemptsWithTimeout } from '../../../src/api/services/authentication.js';
import type { AttemptStore, ThrottleKey } from '../../../src/core/login.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const PLACE: ThrottleKey = { kind: 'account', name: 'ada', limit: 3, windowMs: 60_000 };

describe('attemptsWithTimeout', () => {
  const scheduler = createFakeScheduler();
  const over = (count: AttemptStore['count']): AttemptStore =>
    attemptsWithTimeout({ count, takeBack: () => Promise.resolve() }, scheduler);

  it('passes on a result and a failure that arrive in time', async () => {
    const locked = { place: PLACE, until: 7 };
    assert.equal(await over(() => Promise.resolve(locked)).count([PLACE], 0), locked);
    await assert.rejects(over(() => Promise.reject(new Error('away'))).count([PLACE], 0), /away/);
    assert.equal(scheduler.next(), undefined);
  });

  it('fails after a second when the database does not answer', async () => {
    const counted = over(() => new Promise(() => undefined)).count([PLACE], 0);
    const failed = assert.rejects(counted, /did not arrive in time/);
    assert.equal(scheduler.next(), 1_000);
    await scheduler.pass(1_000);
    await failed;
  });
});
