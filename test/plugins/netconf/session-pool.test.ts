import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { createSessionPool, type SessionPool } from '../../../plugins/netconf/session-pool.js';
import type { Session } from '../../../plugins/netconf/session.js';
import { Problem } from '../../../src/core/problem.js';

interface FakeSession extends Session {
  /** Ends the session as the server does. */
  readonly lose: () => void;
  /** Counts an operation that may change something. */
  readonly change: () => void;
}

/** A session without a server. */
function sessionWithoutServer(): FakeSession {
  let isOpen = true;
  let changes = 0;
  const listeners: (() => void)[] = [];
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const listener of listeners) listener();
  };
  return {
    capabilities: undefined as never,
    isOpen: () => isOpen,
    changes: () => changes,
    change: () => {
      changes += 1;
    },
    rpc: () => Promise.reject(new Error('the session has no server')),
    close,
    lose: close,
    onClose: (listener) => listeners.push(listener),
    onNotification: () => undefined,
    useModel: () => undefined,
    limitReceived: () => () => undefined,
    allowSilence: () => undefined,
  };
}

/** A pool, whose attempts to connect the test answers, with a clock that the test moves. */
class Bench {
  now = 0;
  /** Attempts that have no answer. */
  readonly attempts: { resolve: (session: FakeSession) => void; reject: (error: unknown) => void }[] = [];
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();
  readonly pool: SessionPool;

  constructor({ maxSessions = 2, maxWaiting = 100 } = {}) {
    this.pool = createSessionPool({
      open: (signal) =>
        new Promise((resolve, reject) => {
          this.attempts.push({ resolve, reject });
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
      maxSessions,
      maxWaiting,
      idleMs: 300_000,
      scheduler: {
        now: () => this.now,
        after: (ms, work) => {
          const timer = { at: this.now + ms, work };
          this.#timers.add(timer);
          return () => this.#timers.delete(timer);
        },
      },
    });
  }

  /** Answers the oldest attempt: with a session, which is returned, or with a failure. */
  async answer(failure?: Problem): Promise<FakeSession> {
    const attempt = this.attempts.shift();
    assert(attempt, 'the pool connects');
    const session = sessionWithoutServer();
    if (failure) attempt.reject(failure);
    else attempt.resolve(session);
    await setImmediate();
    return session;
  }

  /** Moves the clock. Timers fire this many milliseconds early. */
  async move(ms: number, early = 0): Promise<void> {
    this.now += ms;
    for (const timer of [...this.#timers])
      if (timer.at <= this.now + early && this.#timers.delete(timer)) timer.work();
    await setImmediate();
  }

  /** Starts a call that ends when the test says so. Its outcome is what it did, or the code of its Problem. */
  call(signal = new AbortController().signal): HeldCall {
    const held: HeldCall = { sessions: [], ends: [], outcome: Promise.resolve('') };
    held.outcome = this.pool
      .use(
        (session) =>
          new Promise<string>((resolve, reject) => {
            held.sessions.push(session as FakeSession);
            held.ends.push({ resolve, reject });
          }),
        signal,
      )
      .catch((error: unknown) => (error instanceof Problem ? error.code : String(error)));
    return held;
  }
}

interface HeldCall {
  readonly sessions: FakeSession[];
  readonly ends: { resolve: (text: string) => void; reject: (error: unknown) => void }[];
  outcome: Promise<string>;
}

/** Lets a call end with this text, and the pool go on. */
async function finish(call: HeldCall, text = 'done'): Promise<void> {
  call.ends.at(-1)?.resolve(text);
  assert.equal(await call.outcome, text);
  await setImmediate();
}

/** Opens a pool whose only session so far has been lost. */
async function benchWithoutSession(options?: ConstructorParameters<typeof Bench>[0]): Promise<Bench> {
  const bench = new Bench(options);
  const first = bench.call();
  (await bench.answer()).lose();
  await finish(first);
  return bench;
}

const AWAY = new Problem('upstream_unreachable', 'the server closed the SSH connection');
const BROKEN = new Problem('upstream_unreachable', 'the server closed the NETCONF session');

/** Ends the session under a call that waits for a reply. */
function breakUnder(call: HeldCall): void {
  call.sessions.at(-1)?.lose();
  call.ends.at(-1)?.reject(BROKEN);
}

describe('the pool of NETCONF sessions', () => {
  it('connects again by itself, after growing delays', async () => {
    const bench = new Bench();
    const first = bench.call();
    const session = await bench.answer();
    await finish(first);
    assert.equal(bench.pool.connection().state, 'ONLINE');

    session.lose();
    const second = bench.call();
    await bench.answer(AWAY);
    assert.equal(bench.pool.connection().state, 'OFFLINE');
    await bench.move(1000);
    await bench.answer(AWAY);
    assert.equal(await second.outcome, 'upstream_unreachable');

    await bench.move(1998);
    assert.equal(bench.attempts.length, 0);
    await bench.move(1, 1);
    await bench.answer();
    assert.equal(bench.pool.connection().state, 'ONLINE');
    bench.pool.close();
  });

  it('lets calls wait for the next attempt after one failure, and fails them at once after the second', async () => {
    const bench = await benchWithoutSession({ maxSessions: 1 });
    const waiting = [bench.call(), bench.call(), bench.call()];
    await bench.answer(AWAY);
    await bench.move(1000);
    await bench.answer();
    for (const call of waiting) await finish(call);

    waiting[0]?.sessions[0]?.lose();
    const away = bench.call();
    await bench.answer(AWAY);
    await bench.move(1000);
    await bench.answer(AWAY);
    assert.equal(await away.outcome, 'upstream_unreachable');
    assert.equal(await bench.call().outcome, 'upstream_unreachable');
    assert.equal(bench.attempts.length, 0);
    bench.pool.close();
  });

  it('fails at once before the first connection, and with refused credentials (it said that the device is offline)', async () => {
    const refused = new Problem('upstream_auth', 'refused the SSH login');
    const fresh = new Bench();
    const start = fresh.call();
    await fresh.answer(AWAY);
    assert.equal(await start.outcome, 'upstream_unreachable');

    const bench = await benchWithoutSession();
    const second = bench.call();
    await bench.answer(refused);
    assert.equal(await second.outcome, 'upstream_auth');
    assert.equal(bench.pool.connection().state, 'LOGIN_REFUSED');
    await bench.move(3_600_000);
    assert.equal(bench.attempts.length, 0);
  });

  it('serves calls with the sessions that the server admits, also after all of them have closed', async () => {
    const bench = new Bench({ maxSessions: 4 });
    const calls = Array.from({ length: 8 }, () => bench.call());
    assert.equal(bench.attempts.length, 4);
    await bench.answer();
    await bench.answer();
    const full = new Problem('upstream_unreachable', 'too many sessions');
    await bench.answer(full);
    await bench.answer(full);
    assert.equal(bench.attempts.length, 0);
    for (const call of calls) await finish(call);
    assert.equal(bench.pool.connection().state, 'ONLINE');

    // The sessions close, although the server has refused further ones a moment ago.
    for (const call of calls) call.sessions[0]?.lose();
    const next = bench.call();
    await bench.answer();
    await finish(next);
  });

  it('gives no session up because callers leave one after the other while others wait', async () => {
    const bench = new Bench({ maxSessions: 1 });
    const leaving = Array.from({ length: 5 }, () => new AbortController());
    const calls = leaving.map(({ signal }) => bench.call(signal));
    const stays = bench.call();
    for (const caller of leaving) {
      caller.abort(new Problem('caller_gone', 'the caller left'));
      await setImmediate();
    }
    assert.equal(bench.attempts.length, 1);
    for (const call of calls) assert.equal(await call.outcome, 'caller_gone');
    await bench.answer();
    await finish(stays);
  });

  it('ends an attempt to connect that nobody waits for, and counts it as no failure', async () => {
    const bench = new Bench();
    const caller = new AbortController();
    const gone = bench.call(caller.signal);
    caller.abort(new Problem('caller_gone', 'the caller left'));
    assert.equal(await gone.outcome, 'caller_gone');
    bench.attempts.shift();
    const next = bench.call();
    await setImmediate();
    await bench.answer();
    await finish(next);
  });

  it('counts attempts that fail together as one failure', async () => {
    const bench = await benchWithoutSession({ maxSessions: 4 });
    const calls = Array.from({ length: 4 }, () => bench.call());
    for (let count = 0; count < 4; count += 1) await bench.answer(AWAY);
    await bench.move(1000);
    await bench.answer();
    for (const call of calls) await finish(call);
  });

  it('repeats a read with another session when the server closes its session', async () => {
    const bench = new Bench({ maxSessions: 1 });
    const calls = [bench.call(), bench.call()] as const;
    await bench.answer();
    breakUnder(calls[0]);
    await setImmediate();
    await bench.answer();
    await finish(calls[1], 'second');
    await finish(calls[0], 'first');
  });

  it('does not repeat a change that was sent, and no call without end', async () => {
    const bench = new Bench({ maxSessions: 1 });
    const change = bench.call();
    (await bench.answer()).change();
    breakUnder(change);
    assert.equal(await change.outcome, 'upstream_unreachable');
    assert.equal(change.sessions.length, 1);

    const read = bench.call();
    for (let count = 0; count < 3; count += 1) {
      await bench.answer();
      breakUnder(read);
      await setImmediate();
    }
    assert.equal(await read.outcome, 'upstream_unreachable');
    assert.equal(read.sessions.length, 3);
  });

  it('refuses a call that finds no place to wait', async () => {
    const bench = new Bench({ maxSessions: 1, maxWaiting: 1 });
    const calls = [bench.call(), bench.call(), bench.call()] as const;
    assert.equal(await calls[2].outcome, 'upstream_busy');
    bench.pool.close();
    assert.equal(await calls[0].outcome, 'adapter_unavailable');
    assert.equal(await calls[1].outcome, 'adapter_unavailable');
  });
});
