import assert from 'node:assert/strict';
import { noteConnection } from '../../src/adapters/connection-state.js';
import { Problem } from '../../src/core/problem.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

type Result = number | Problem;

const PROBLEMS: Readonly<Record<string, Problem>> = {
  unreachable: new Problem('upstream_unreachable', 'nobody there'),
  'not sent': new Problem('invalid_path', 'no'),
  'login refused': new Problem('upstream_auth', 'credentials refused: login'),
  refused: new Problem('upstream_auth', 'credentials refused: 401 to the health path'),
  failed: new Problem('upstream_failed', 'the health path failed'),
};
const unreachable = PROBLEMS['unreachable']!;

/**
 * Plays calls and probes with results, each as `call 200` or `probe refused`. Returns the state after each, the last reason, and the
 * messages of the log.
 */
async function play(...events: readonly string[]) {
  let result: Result = 200;
  const answer = () => (result instanceof Problem ? Promise.reject(result) : Promise.resolve(result));
  const { log, lines } = memoryLog();
  const { state, upstream } = noteConnection(
    {
      send: async () => ({ status: await answer(), headers: {}, body: Buffer.alloc(0) }),
      probe: answer,
      close: () => Promise.resolve(),
    },
    createFakeScheduler(),
    log,
  );
  const { signal } = new AbortController();
  const states: string[] = [];
  for (const event of events) {
    const [, kind, next = ''] = /^(\w+) (.*)$/.exec(event) ?? [];
    result = PROBLEMS[next] ?? Number(next);
    const work =
      kind === 'call'
        ? upstream.send({ method: 'GET', path: '/', headers: {} }, signal)
        : upstream.probe?.(signal);
    await Promise.resolve(work).catch(() => undefined);
    states.push(state().state);
  }
  return { states, reason: state().reason, messages: lines.map(({ message }) => message) };
}

describe('noteConnection', () => {
  it('stays LOGIN_REFUSED while calls and probes are refused, and logs it once (finding 2: it flapped)', async () => {
    const refused = ['probe refused', 'call 401'];
    const { states, reason, messages } = await play(...refused, ...refused, ...refused);
    assert.deepEqual(new Set(states), new Set(['LOGIN_REFUSED']));
    assert.match(reason ?? '', /^credentials refused/);
    assert.deepEqual(messages, ['orchestrator cannot be used']);
  });

  it('is ONLINE again after a call or a probe that succeeds with the credentials', async () => {
    for (const success of ['call 200', 'probe 200']) {
      const { states, messages } = await play('probe refused', 'call 404', 'call 403', 'probe 404', success);
      assert.deepEqual(new Set(states.slice(0, -1)), new Set(['LOGIN_REFUSED']));
      assert.equal(states.at(-1), 'ONLINE');
      assert.deepEqual(messages, ['orchestrator cannot be used', 'orchestrator answers']);
    }
  });

  it('does not take the success of a public health path for accepted credentials', async () => {
    const { states, messages } = await play('probe 200', 'call 401', 'call 401', 'probe 200', 'call 401');
    assert.deepEqual(states, ['ONLINE', 'ONLINE', ...Array<string>(3).fill('LOGIN_REFUSED')]);
    assert.deepEqual(messages, ['orchestrator answers', 'orchestrator cannot be used']);
  });

  it('counts refused calls across the successes of a public health path', async () => {
    const { states } = await play('probe 200', 'call 401', 'probe 200', 'call 401', 'probe 200');
    assert.deepEqual(states, ['ONLINE', 'ONLINE', 'ONLINE', 'LOGIN_REFUSED', 'LOGIN_REFUSED']);
  });

  it('stays ONLINE after a single refused call among calls that succeed', async () => {
    const { states } = await play('call 200', 'call 401', 'call 200', 'call 401', 'call 204');
    assert.deepEqual(new Set(states), new Set(['ONLINE']));
  });

  it('is LOGIN_REFUSED, never OFFLINE, for an orchestrator that answered 401 (it said "offline")', async () => {
    for (const event of ['call 401', 'call 407', 'call login refused'])
      assert.deepEqual((await play(event)).states, ['LOGIN_REFUSED']);
  });

  it('keeps its state after a call that was not sent', async () => {
    assert.deepEqual((await play('call not sent')).states, ['UNKNOWN']);
    const { states } = await play('call unreachable', 'call not sent', 'call 500');
    assert.deepEqual(states, ['OFFLINE', 'OFFLINE', 'ONLINE']);
  });

  it('reports the present reason when it changes', async () => {
    const { reason, messages } = await play('call unreachable', 'call 401', 'probe failed');
    assert.match(reason ?? '', /^credentials refused: the orchestrator answered 401/);
    assert.deepEqual(messages, ['orchestrator cannot be used', 'orchestrator cannot be used']);
    const away = await play('call 401', 'call unreachable');
    assert.deepEqual([away.reason, away.states], ['nobody there', ['LOGIN_REFUSED', 'OFFLINE']]);
  });

  describe('with probes that only open a connection', () => {
    const ANSWER = { headers: {}, body: Buffer.alloc(0) } as const;

    function setUp() {
      const clock = createFakeScheduler();
      let call: Result = 200;
      let opening: Problem | undefined;
      const { state, upstream } = noteConnection(
        {
          send: () =>
            call instanceof Problem ? Promise.reject(call) : Promise.resolve({ status: call, ...ANSWER }),
          checkConnection: () => (opening ? Promise.reject(opening) : Promise.resolve()),
          close: () => Promise.resolve(),
        },
        clock,
        memoryLog().log,
      );
      const { signal } = new AbortController();
      return {
        clock,
        state,
        call: async (next: Result) => {
          call = next;
          await upstream.send({ method: 'GET', path: '/', headers: {} }, signal).catch(() => undefined);
        },
        open: async (failure?: Problem) => {
          opening = failure;
          await upstream.checkConnection?.(signal).catch(() => undefined);
        },
      };
    }

    it('goes OFFLINE and ONLINE without a call, and tells when and how it was tried', async () => {
      const { clock, state, open } = setUp();
      const begin = clock.now();
      await open();
      assert.deepEqual(state(), {
        state: 'ONLINE',
        since: begin,
        lastTriedAt: begin,
        lastTriedBy: 'probe',
        lastOkAt: begin,
      });
      await clock.pass(30_000);
      await open(unreachable);
      const { state: name, reason, lastTriedAt, lastOkAt } = state();
      assert.deepEqual(
        [name, reason, lastTriedAt, lastOkAt],
        ['OFFLINE', 'nobody there', begin + 30_000, begin],
      );
      await clock.pass(30_000);
      await open();
      assert.deepEqual([state().state, state().lastOkAt], ['ONLINE', begin + 60_000]);
    });

    it('heals a call that found nobody, but neither refused credentials nor replies that are not valid', async () => {
      const { state, call, open } = setUp();
      await call(unreachable);
      await open();
      assert.equal(state().state, 'ONLINE');
      for (const result of [401, new Problem('upstream_bad_reply', 'not HTTP')]) {
        await call(result);
        await call(result);
        await open();
        assert.equal(state().state, result === 401 ? 'LOGIN_REFUSED' : 'OFFLINE');
        await call(200);
      }
    });

    it('is not ONLINE with refused credentials after an outage (it said "orchestrator answers")', async () => {
      const { clock, state, call, open } = setUp();
      const begin = clock.now();
      await call(401);
      await open(unreachable);
      assert.deepEqual([state().reason, state().isUnreachable], ['nobody there', true]);
      await clock.pass(30_000);
      await open();
      const { state: name, since, reason = '', isUnreachable } = state();
      assert.deepEqual([name, since, isUnreachable], ['LOGIN_REFUSED', begin + 30_000, undefined]);
      assert.match(reason, /^credentials refused: the orchestrator answered 401/);
      await call(404);
      assert.equal(state().state, 'LOGIN_REFUSED', 'a 404 proves no credentials');
      await call(200);
      await open(unreachable);
      await open();
      assert.equal(state().state, 'ONLINE');
    });
  });
});
