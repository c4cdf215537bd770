import assert from 'node:assert/strict';
import { noteConnection } from '../../src/adapters/connection-state.js';
import type { Connection } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

const PROBLEMS: Readonly<Record<string, Problem>> = {
  unreachable: new Problem('upstream_unreachable', 'nobody there'),
  'not sent': new Problem('invalid_path', 'no'),
  'login refused': new Problem('upstream_auth', 'credentials refused: login'),
  refused: new Problem('upstream_auth', 'credentials refused: 401 to the health path'),
  failed: new Problem('upstream_failed', 'the health path failed'),
  'not HTTP': new Problem('upstream_bad_reply', 'not HTTP'),
};

/** The recorded connection of an upstream. An event is a call, a probe or an opened connection, and its result: `probe refused`. */
function setUp() {
  const clock = createFakeScheduler();
  const { log, lines } = memoryLog();
  let result: number | Problem;
  const answer = () => (result instanceof Problem ? Promise.reject(result) : Promise.resolve(result));
  const { state, upstream } = noteConnection(
    {
      send: async () => ({ status: await answer(), headers: {}, body: Buffer.alloc(0) }),
      probe: answer,
      checkConnection: async () => void (await answer()),
      close: () => Promise.resolve(),
    },
    clock,
    log,
  );
  const { signal } = new AbortController();
  const run: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
    call: () => upstream.send({ method: 'GET', path: '/', headers: {} }, signal),
    probe: () => upstream.probe?.(signal),
    open: () => upstream.checkConnection?.(signal),
  };
  const play = async (event: string): Promise<Connection> => {
    const [, kind = '', next = ''] = /^(\w+) (.*)$/.exec(event) ?? [];
    result = PROBLEMS[next] ?? Number(next);
    await Promise.resolve(run[kind]?.()).catch(() => undefined);
    return state();
  };
  return { clock, play, lines };
}

/** Plays events. Returns the state after each, the last reason, and the messages of the log. */
async function played(...events: readonly string[]) {
  const { play, lines } = setUp();
  const connections: Connection[] = [];
  for (const event of events) connections.push(await play(event));
  const states = connections.map(({ state }) => state);
  return { states, reason: connections.at(-1)?.reason, messages: lines.map(({ message }) => message) };
}

const [UNUSABLE, ANSWERS] = ['orchestrator cannot be used', 'orchestrator answers'];
const [ON, OFF, REFUSED] = ['ONLINE', 'OFFLINE', 'LOGIN_REFUSED'];

describe('noteConnection', () => {
  it('stays LOGIN_REFUSED while calls and probes are refused, and logs it once (finding 2: it flapped)', async () => {
    const refused = ['probe refused', 'call 401'];
    const { states, reason, messages } = await played(...refused, ...refused, ...refused);
    assert.deepEqual(new Set(states), new Set([REFUSED]));
    assert.match(reason ?? '', /^credentials refused/);
    assert.deepEqual(messages, [UNUSABLE]);
  });

  it('is ONLINE again after a call or a probe that succeeds with the credentials', async () => {
    for (const success of ['call 200', 'probe 200']) {
      const refused = ['probe refused', 'call 404', 'call 403', 'probe 404'];
      const { states, messages } = await played(...refused, success);
      assert.deepEqual(states, [REFUSED, REFUSED, REFUSED, REFUSED, ON]);
      assert.deepEqual(messages, [UNUSABLE, ANSWERS]);
    }
  });

  it('does not take the success of a public health path for accepted credentials', async () => {
    const { states, messages } = await played('probe 200', 'call 401', 'call 401', 'probe 200', 'call 401');
    assert.deepEqual(states, [ON, ON, REFUSED, REFUSED, REFUSED]);
    assert.deepEqual(messages, [ANSWERS, UNUSABLE]);
  });

  const NEVER_OFFLINE =
    'is LOGIN_REFUSED, never OFFLINE, for an orchestrator that answered 401 (it said "offline")';
  for (const [title, events, expected] of [
    [
      'counts refused calls across the successes of a public health path',
      ['probe 200', 'call 401', 'probe 200', 'call 401', 'probe 200'],
      [ON, ON, ON, REFUSED, REFUSED],
    ],
    [
      'stays ONLINE after a single refused call among calls that succeed',
      ['call 200', 'call 401', 'call 200', 'call 401', 'call 204'],
      [ON, ON, ON, ON, ON],
    ],
    [`${NEVER_OFFLINE}: 401`, ['call 401'], [REFUSED]],
    [`${NEVER_OFFLINE}: 407`, ['call 407'], [REFUSED]],
    [`${NEVER_OFFLINE}: login`, ['call login refused'], [REFUSED]],
    ['is unknown after a call that was not sent', ['call not sent'], ['UNKNOWN']],
    [
      'keeps its state after a call that was not sent',
      ['call unreachable', 'call not sent', 'call 500'],
      [OFF, OFF, ON],
    ],
    [
      'is ONLINE after a connection that opens, if a call found nobody',
      ['call unreachable', 'open 200'],
      [OFF, ON],
    ],
    [
      'keeps refused credentials after a connection that opens',
      ['call 200', 'call 401', 'call 401', 'open 200', 'call 200'],
      [ON, ON, REFUSED, REFUSED, ON],
    ],
    [
      'keeps replies that are not valid after a connection that opens',
      ['call 200', 'call not HTTP', 'open 200', 'call 200'],
      [ON, OFF, OFF, ON],
    ],
  ] as const)
    it(title, async () => {
      assert.deepEqual((await played(...events)).states, expected);
    });

  it('reports the present reason when it changes', async () => {
    const { reason, messages } = await played('call unreachable', 'call 401', 'probe failed');
    assert.match(reason ?? '', /^credentials refused: the orchestrator answered 401/);
    assert.deepEqual(messages, [UNUSABLE, UNUSABLE]);
    const away = await played('call 401', 'call unreachable');
    assert.deepEqual([away.reason, away.states], ['nobody there', [REFUSED, OFF]]);
  });

  it('goes OFFLINE and ONLINE with the connections that open, and tells when and how it was tried', async () => {
    const { clock, play } = setUp();
    const begin = clock.now();
    const tried = { lastTriedAt: begin, lastTriedBy: 'probe', lastOkAt: begin };
    assert.deepEqual(await play('open 200'), { state: ON, since: begin, ...tried });
    await clock.pass(30_000);
    const { state, reason, lastTriedAt, lastOkAt } = await play('open unreachable');
    assert.deepEqual([state, reason, lastTriedAt, lastOkAt], [OFF, 'nobody there', begin + 30_000, begin]);
    await clock.pass(30_000);
    const again = await play('open 200');
    assert.deepEqual([again.state, again.lastOkAt], [ON, begin + 60_000]);
  });

  it('is not ONLINE with refused credentials after an outage (it said "orchestrator answers")', async () => {
    const { clock, play } = setUp();
    const begin = clock.now();
    await play('call 401');
    const away = await play('open unreachable');
    assert.deepEqual([away.reason, away.isUnreachable], ['nobody there', true]);
    await clock.pass(30_000);
    const { state, since, reason = '', isUnreachable } = await play('open 200');
    assert.deepEqual([state, since, isUnreachable], [REFUSED, begin + 30_000, undefined]);
    assert.match(reason, /^credentials refused: the orchestrator answered 401/);
    assert.equal((await play('call 404')).state, REFUSED, 'a 404 proves no credentials');
    for (const event of ['call 200', 'open unreachable']) await play(event);
    assert.equal((await play('open 200')).state, ON);
  });
});
