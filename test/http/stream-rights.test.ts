import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { createStreamRights, type RightfulStream } from '../../src/http/stream-rights.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';

const HOUR_MS = 3_600_000;

function openRights() {
  const scheduler = createFakeScheduler();
  const rights = createStreamRights(scheduler);
  const ends: string[] = [];
  const expiringIn = (ms: number) => ({ expiresAt: (scheduler.now() + ms) / 1000 });
  const watch = (name: string, stream: Partial<RightfulStream> = {}) =>
    rights.watch({
      principal: expiringIn(HOUR_MS),
      authorize: () => undefined,
      end: ({ code }) => ends.push(`${name} ${code}`),
      ...stream,
    });
  return { scheduler, rights, ends, watch, expiringIn };
}

const refuse = (code: 'unauthorized' | 'adapter_forbidden' | 'issuer_unavailable') => (): never => {
  throw new Problem(code, 'for this test');
};

describe('the rights of open streams', () => {
  it('end a stream at the expiry of its token, and no other', async () => {
    const { scheduler, ends, watch, expiringIn } = openRights();
    watch('short', { principal: expiringIn(90_500) });
    watch('long');
    await scheduler.pass(90_499);
    assert.deepEqual(ends, []);
    await scheduler.pass(1);
    assert.deepEqual(ends, ['short unauthorized']);
  });

  it('end the streams of refused callers at once after a change', () => {
    const { rights, ends, watch } = openRights();
    watch('signed out', { authorize: refuse('unauthorized') });
    watch('without a rule', { authorize: refuse('adapter_forbidden') });
    watch('unchanged');
    rights.check();
    rights.check();
    assert.deepEqual(ends, ['signed out unauthorized', 'without a rule adapter_forbidden']);
  });

  it('end a stream whose caller is refused later, for example by an issuer', async () => {
    const { scheduler, rights, ends, watch } = openRights();
    watch('introspected', { authorize: () => Promise.resolve().then(refuse('unauthorized')) });
    rights.check();
    await scheduler.pass(0);
    assert.deepEqual(ends, ['introspected unauthorized']);
  });

  it('are checked by the minute after the clock was set back (bug: not until the clock had caught up)', async () => {
    const { scheduler, ends, watch } = openRights();
    let isRefused = false;
    watch('introspected', {
      principal: undefined,
      authorize: () => (isRefused ? refuse('unauthorized')() : undefined),
    });
    scheduler.set(-HOUR_MS);
    isRefused = true;
    await scheduler.pass(60_000);
    assert.deepEqual(ends, ['introspected unauthorized']);
  });

  it('keep a stream while its issuer does not answer, and end it by the next check without an event', async () => {
    const { scheduler, rights, ends, watch } = openRights();
    let authorize = refuse('issuer_unavailable');
    watch('a', { authorize: () => authorize() });
    rights.check();
    assert.deepEqual(ends, []);
    authorize = refuse('unauthorized');
    await scheduler.pass(31_000);
    assert.deepEqual(ends, ['a unauthorized']);
  });

  it('keep a stream whose token was accepted beyond its time until the token is refused', async () => {
    const { scheduler, ends, watch, expiringIn } = openRights();
    let checks = 0;
    watch('tolerated', {
      principal: expiringIn(-1_000),
      authorize: () => (++checks === 3 ? refuse('unauthorized')() : undefined),
    });
    await scheduler.pass(61_000);
    assert.deepEqual([checks, ends], [2, []]);
    await scheduler.pass(30_000);
    assert.deepEqual(ends, ['tolerated unauthorized']);
  });

  it('check many streams in several turns of the event loop', async () => {
    const { scheduler, rights, watch } = openRights();
    let checks = 0;
    for (let count = 0; count < 120; count += 1) watch('a', { authorize: () => void (checks += 1) });
    rights.check();
    assert.equal(checks, 50);
    await scheduler.pass(0);
    assert.equal(checks, 120);
  });

  it('leave alone a stream that has ended', async () => {
    const { scheduler, rights, ends, watch } = openRights();
    const stop = watch('over', { authorize: refuse('unauthorized') });
    stop();
    rights.check();
    await scheduler.pass(HOUR_MS);
    assert.deepEqual(ends, []);
  });
});
