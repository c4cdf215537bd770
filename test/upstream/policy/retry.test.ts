import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { UpstreamReply } from '../../../src/core/adapter.js';
import type { ProblemCode } from '../../../src/core/problem-codes.js';
import { Problem } from '../../../src/core/problem.js';
import type { Phase } from '../../../src/upstream/deadline.js';
import { createRetries, createRetryBudget, RETRY_RESERVE } from '../../../src/upstream/policy/retry.js';
import type { UpstreamCall } from '../../../src/upstream/send.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { createUpstreamCall, disconnectCaller } from '../../support/inbound-call.js';

const SETTINGS = {
  attempts: 3,
  methods: ['GET', 'HEAD', 'OPTIONS'],
  statuses: [429, 503],
  budgetPercent: 100,
} as const;

/** Result of one attempt: a status, or a Problem in a phase. */
type AttemptResult = number | readonly [ProblemCode, Phase] | { readonly retryAfter: string };

const UNSENT: AttemptResult = ['upstream_unreachable', 'connecting'];
const SENT: AttemptResult = ['upstream_unreachable', 'waiting for the reply'];

function replyOf(end: Exclude<AttemptResult, readonly unknown[]>): UpstreamReply {
  if (typeof end === 'number') return { status: end, headers: {}, body: Buffer.alloc(0) };
  return { status: 503, headers: { 'retry-after': end.retryAfter }, body: Buffer.alloc(0) };
}

const RESULTS: readonly AttemptResult[] = [
  ...[UNSENT, SENT, 503, 200],
  ['upstream_timeout', 'connecting'],
  ['upstream_timeout', 'waiting for the reply'],
  ['upstream_bad_reply', 'reading the reply'],
];

function start(
  ends: readonly (AttemptResult | Error)[],
  { method = 'GET', endpoints = 1, budgetPercent = 100, attempts: maxAttempts = 3 } = {},
) {
  const scheduler = createFakeScheduler();
  const upstreamCall = createUpstreamCall(scheduler, { method });
  let attempts = 0;
  let retries = 0;
  const next = (travelling: UpstreamCall): Promise<UpstreamReply> => {
    const end = ends[attempts] ?? 200;
    attempts += 1;
    if (end instanceof Error) return Promise.reject(end);
    if (!Array.isArray(end))
      return Promise.resolve(replyOf(end as Exclude<AttemptResult, readonly unknown[]>));
    const [code, phase] = end as readonly [ProblemCode, Phase];
    travelling.deadline.phase = phase;
    if (code === 'caller_gone') disconnectCaller(travelling);
    return Promise.reject(new Problem(code, 'no'));
  };
  const budget = createRetryBudget(budgetPercent);
  const onRetry = () => (retries += 1);
  const layer = createRetries(
    { ...SETTINGS, attempts: maxAttempts, budgetPercent },
    { budget, clock: scheduler, random: () => 0.5, endpoints, onRetry },
  );
  const sending = layer(upstreamCall, next);
  sending.catch(() => undefined);
  // The first attempt ends on a later turn; the wait begins only then.
  const pass = async (ms: number): Promise<void> => {
    await scheduler.pass(0);
    await scheduler.pass(ms);
  };
  return {
    scheduler: { ...scheduler, pass },
    upstreamCall,
    sending,
    attempts: () => attempts,
    retries: () => retries,
  };
}

describe('createRetries', () => {
  it('returns the first reply to a GET whose status is not in the list', async () => {
    const { scheduler, sending, attempts, retries } = start([503, 429, 404]);
    await scheduler.pass(1_000);
    assert.equal((await sending).status, 404);
    assert.deepEqual([attempts(), retries()], [3, 2]);
  });

  it('returns the last reply when all attempts fail', async () => {
    const { scheduler, sending, attempts } = start([503, 503, 429, 200]);
    await scheduler.pass(1_000);
    assert.equal((await sending).status, 429);
    assert.equal(attempts(), 3);
  });

  for (const [title, end] of [
    ['was sent and received no reply', SENT],
    ['received a partial reply', ['upstream_bad_reply', 'reading the reply']],
    ['exceeded its deadline', ['upstream_timeout', 'waiting for the reply']],
    ['received a status of the list', 503],
  ] as const) {
    it(`repeats a GET that ${title}`, async () => {
      const { scheduler, sending } = start([end]);
      await scheduler.pass(1_000);
      assert.equal((await sending).status, 200);
    });
  }

  it('repeats a request that was not sent, with any method, until it is sent', async () => {
    const once = start([UNSENT, 201], { method: 'POST' });
    await once.scheduler.pass(1_000);
    assert.equal((await once.sending).status, 201);
    const twice = start([UNSENT, SENT, 200], { method: 'POST' });
    await twice.scheduler.pass(1_000);
    await assert.rejects(twice.sending, problem('upstream_unreachable'));
    assert.equal(twice.attempts(), 2);
  });

  for (const code of ['upstream_too_large', 'upstream_auth', 'invalid_path', 'upstream_suspended'] as const)
    it(`does not repeat a request that failed with ${code}`, async () => {
      const { sending, attempts } = start([[code, 'connecting']]);
      await assert.rejects(sending, problem(code));
      assert.equal(attempts(), 1);
    });

  for (const [title, end, expected] of [
    ['failed with an unexpected error', new TypeError('a bug'), /a bug/],
    ['whose caller has left', ['caller_gone', 'waiting for the reply'], problem('caller_gone')],
  ] as const)
    it(`does not repeat a request that ${title}`, async () => {
      const { sending, attempts } = start([end]);
      await assert.rejects(sending, expected);
      assert.equal(attempts(), 1);
    });

  it('waits a random time of up to 100 ms, then of up to 200 ms', async () => {
    const { scheduler, attempts } = start([503, 503, 200]);
    await scheduler.pass(49);
    assert.equal(attempts(), 1);
    await scheduler.pass(1);
    assert.equal(attempts(), 2);
    await scheduler.pass(99);
    assert.equal(attempts(), 2);
    await scheduler.pass(1);
    assert.equal(attempts(), 3);
  });

  it('waits for Retry-After plus a random time', async () => {
    const { scheduler, sending, attempts } = start([{ retryAfter: '2' }, 200]);
    await scheduler.pass(2_049);
    assert.equal(attempts(), 1);
    await scheduler.pass(1);
    assert.equal((await sending).status, 200);
  });

  it('returns the reply at once when Retry-After exceeds the remaining time of the call', async () => {
    const { sending, scheduler } = start([{ retryAfter: '30' }]);
    assert.equal((await sending).status, 503);
    assert.equal(scheduler.next(), undefined);
  });

  it('tries another base URL without a delay, if the call has not tried it', async () => {
    const { sending, attempts } = start([UNSENT, 200], { endpoints: 2 });
    assert.equal((await sending).status, 200);
    assert.equal(attempts(), 2);
  });

  it('ends with the call, and leaves no timer', async () => {
    const { scheduler, upstreamCall, sending, attempts } = start([503, 200]);
    await scheduler.pass(0);
    disconnectCaller(upstreamCall);
    await assert.rejects(sending, problem('caller_gone'));
    assert.deepEqual([attempts(), scheduler.next()], [1, undefined]);
  });

  for (const code of ['upstream_busy', 'upstream_suspended'] as const)
    it(`returns the previous reply when the next attempt fails with ${code}`, async () => {
      const { scheduler, sending } = start([503, [code, 'waiting for a slot']]);
      await scheduler.pass(1_000);
      assert.equal((await sending).status, 503);
    });

  it('is disabled by one attempt and by a budget of 0 percent', async () => {
    for (const settings of [{ attempts: 1 }, { budgetPercent: 0 }]) {
      const { sending, attempts } = start([503], settings);
      assert.equal((await sending).status, 503);
      assert.equal(attempts(), 1);
    }
  });

  it('sends a POST, PUT, PATCH or DELETE at most once, whatever the results of its attempts', async () => {
    const ends = fc.array(fc.constantFrom(...RESULTS), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(ends, fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'), async (list, method) => {
        const { scheduler, sending, attempts } = start(list, { method });
        await scheduler.pass(30_000);
        await sending.catch(() => undefined);
        const made = Array.from({ length: attempts() }, (_, at) => list[at] ?? 200);
        const sent = made.filter((end) => !Array.isArray(end) || end[1] !== 'connecting');
        assert.ok(sent.length <= 1, JSON.stringify(made));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the retry budget', () => {
  it('never permits more than its percentage of the calls plus the reserve, in any order', () => {
    const events = fc.array(fc.boolean(), { maxLength: 500 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), events, (percent, isCall) => {
        const budget = createRetryBudget(percent);
        let [calls, retries] = [0, 0];
        for (const call of isCall) {
          if (call) {
            budget.deposit();
            calls += 1;
          } else if (budget.withdraw()) retries += 1;
          assert.ok(retries <= RETRY_RESERVE + (calls * percent) / 100);
        }
      }),
    );
  });

  it('accumulates at most the reserve', () => {
    const budget = createRetryBudget(10);
    for (let call = 0; call < 10_000; call += 1) budget.deposit();
    let given = 0;
    while (budget.withdraw()) given += 1;
    assert.equal(given, RETRY_RESERVE);
  });

  it('permits one retry for ten calls when the reserve is used up', () => {
    const budget = createRetryBudget(10);
    while (budget.withdraw());
    for (let call = 0; call < 9; call += 1) budget.deposit();
    assert.equal(budget.withdraw(), false);
    budget.deposit();
    assert.deepEqual([budget.withdraw(), budget.withdraw()], [true, false]);
  });

  it('permits no retry at 0 percent', () => {
    const budget = createRetryBudget(0);
    budget.deposit();
    assert.equal(budget.withdraw(), false);
  });
});
