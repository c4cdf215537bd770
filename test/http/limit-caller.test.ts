import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import request from 'supertest';
import type { AdmitCall, LimitDecision } from '../../src/core/limits.js';
import { Problem } from '../../src/core/problem.js';
import type { StreamCall } from '../../src/core/stream.js';
import { releaseHeld } from '../../src/http/on-response.js';
import { buildTestApi, TOKENS } from '../support/http-server.js';
import { openedBySuite } from '../support/opened.js';
import { rawExchange, sendRaw } from '../support/raw-http.js';
import { handshake } from '../support/stream-orchestrator.js';
import { until } from '../support/until.js';
import { ADMIN, head, openStreamServer, replyWith, type StreamServerOptions } from './stream-server.js';

const GET = head('GET /proxy/a/x HTTP/1.1');

/** Admits every call, and counts how often each was ended. */
function countingLimit(decision: Partial<LimitDecision> = {}) {
  const ends: number[] = [];
  const admit: AdmitCall = () => {
    const at = ends.push(0) - 1;
    const end = (): void => {
      ends[at] = (ends[at] ?? 0) + 1;
    };
    return Promise.resolve({ isRunning: true, headers: { ratelimit: '"a";r=1' }, end, ...decision });
  };
  return { admit, ends };
}

const REFUSAL = { limit: 'a', detail: 'The limit "a" permits no more.', retryAfterSeconds: 7 };

/** Waits until the caller has left. */
function untilLeft({ signal }: StreamCall): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason);
    });
  });
}

describe('a limited stream', () => {
  const opened = openedBySuite();

  async function openServer(
    open: Parameters<typeof openStreamServer>[0],
    { decision, ...options }: StreamServerOptions & { readonly decision?: Partial<LimitDecision> } = {},
  ) {
    const { admit, ends } = countingLimit(decision);
    const server = await opened(openStreamServer(open, { ...options, stallMs: 100, admit }));
    return { ...server, ends };
  }

  for (const [what, open, options] of [
    ['a complete reply', () => replyWith(Readable.from([Buffer.from('all')])), {}],
    ['an invalid head', () => replyWith(new PassThrough(), { status: 42 }), {}],
    ['a trail that accepts no record', () => replyWith(new PassThrough()), { writable: false }],
    ['a reply that breaks off', () => replyWith(Readable.from(failing())), {}],
    [
      'a failure before the head',
      () => {
        throw new Problem('upstream_timeout', 'too late');
      },
      {},
    ],
  ] as const)
    it(`ends once after ${what}`, async () => {
      const { port, ends } = await openServer(open, options);
      await rawExchange(port, GET);
      await until(() => ends.length === 1 && ends[0] === 1);
    });

  async function* failing(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from('half'));
    throw new Error('gone');
  }

  it('ends once after its caller has left, before and after the head', async () => {
    const body = new PassThrough();
    const { port, ends } = await openServer((call) =>
      call.request.path === '/x' ? replyWith(body) : untilLeft(call),
    );
    const early = await sendRaw(port, GET.replace('/x', '/never'));
    await until(() => ends.length === 1);
    assert.deepEqual(ends, [0]);
    early.destroy();
    await until(() => ends[0] === 1);
    const late = await sendRaw(port, GET);
    await late.until(/200 OK/);
    assert.deepEqual(ends, [1, 0]);
    late.destroy();
    await until(() => ends[1] === 1);
    assert.deepEqual(ends, [1, 1]);
  });

  it('ends once after its caller has stopped to read', async () => {
    const endless = new Readable({ read() { this.push(Buffer.alloc(65_536)); } }); // prettier-ignore
    const { port, ends } = await openServer(() => replyWith(endless));
    const peer = await sendRaw(port, GET);
    await peer.until(/200 OK/);
    peer.pause();
    await until(() => ends[0] === 1);
    peer.destroy();
  });

  it('ends once after a WebSocket whose caller leaves during the upgrade', async () => {
    const { port, ends, calls } = await openServer(untilLeft);
    const peer = await sendRaw(port, handshake('/proxy/a/x', ADMIN));
    await until(() => calls.length === 1);
    peer.end();
    await until(() => ends[0] === 1);
  });

  it('does not open after a refusal, and says when to try again', async () => {
    const { port, calls, records } = await openServer(() => replyWith(new PassThrough()), {
      decision: { refusal: REFUSAL },
    });
    for (const message of [GET, handshake('/proxy/a/x', ADMIN)]) {
      const reply = await rawExchange(port, message);
      assert.match(reply, /^HTTP\/1\.1 429 [^]*ratelimit: "a";r=1\r\n/i);
      assert.match(reply, /retry-after: 7\r\n[^]*Wait 7 s, or ask the operator/i);
    }
    assert.deepEqual([calls.length, records.length], [0, 0]);
  });
});

describe('a limited call', () => {
  for (const [what, getThing] of [
    ['a reply', () => ({ body: 1 })],
    [
      'a Problem',
      () => {
        throw new Problem('upstream_timeout', 'too late');
      },
    ],
    [
      'a fault of the server',
      () => {
        throw new TypeError('bug');
      },
    ],
    ['a reply that has no JSON form', () => ({ body: 1n })],
  ] as const)
    it(`ends once after ${what}`, async () => {
      const { admit, ends } = countingLimit();
      const { handler } = buildTestApi({ actions: { getThing }, deps: { admit } });
      await request(handler).get('/demo/things/a').set('authorization', `Bearer ${TOKENS.admin}`);
      assert.deepEqual(ends, [1]);
    });

  it('ends once after an invalid body, and is not counted without a role', async () => {
    const { admit, ends } = countingLimit();
    const api = request(buildTestApi({ deps: { admit } }).handler);
    const send = (token: string) =>
      api.post('/demo/things').set('authorization', `Bearer ${token}`).send({ wrong: 1 });
    assert.equal((await send(TOKENS.reader)).status, 403);
    assert.deepEqual(ends, []);
    assert.equal((await send(TOKENS.admin)).status, 400);
    assert.deepEqual(ends, [1]);
  });

  it('also ends if what the reply holds cannot be freed', () => {
    let ended = 0;
    const onEnd = (): never => {
      throw new Error('cannot free');
    };
    const endCall = (): void => void (ended += 1);
    assert.throws(() => {
      releaseHeld({ onEnd, endCall });
    }, /cannot free/);
    assert.equal(ended, 1);
  });
});
