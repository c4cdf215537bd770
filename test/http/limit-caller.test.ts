import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import request from 'supertest';
import { systemClock } from '../../src/core/lib/clock.js';
import type { AdmitCall, LimitDecision } from '../../src/core/limits.js';
import { Problem } from '../../src/core/problem.js';
import { bindStream, type StreamCall, type StreamReply } from '../../src/core/stream.js';
import { releaseHeld } from '../../src/http/on-response.js';
import { listen, type RunningServer } from '../../src/http/server.js';
import { createProxyHandler } from '../../src/http/proxy-handler.js';
import { buildTestApi, memoryAudit, personOf, SERVER, TOKENS } from '../support/http-server.js';
import { memoryLog } from '../support/memory-log.js';
import { rawExchange, rawPeer } from '../support/raw-http.js';
import { handshake } from '../support/stream-orchestrator.js';
import { until } from '../support/until.js';

const ADMIN = `Authorization: Bearer ${TOKENS.admin}\r\n`;
const GET = `GET /proxy/a/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${ADMIN}\r\n`;

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

const replyWith = (body: StreamReply['body'], more: Partial<StreamReply> = {}): StreamReply => ({
  status: 200,
  headers: [],
  body,
  ...more,
});

/** Waits until the caller has left. */
function untilLeft({ signal }: StreamCall): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason);
    });
  });
}

describe('a limited stream', () => {
  const servers: RunningServer[] = [];
  after(() => Promise.all(servers.map((one) => one.close())));

  async function openServer(
    open: (call: StreamCall) => StreamReply | Promise<StreamReply>,
    { writable = true, decision }: { writable?: boolean; decision?: Partial<LimitDecision> } = {},
  ) {
    const { log } = memoryLog();
    const { audit, records } = memoryAudit();
    const limit = countingLimit(decision);
    let opened = 0;
    const operation = bindStream(
      {
        application: 'proxy',
        applicationSummary: 'Passes on.',
        id: 'passThrough',
        summary: 'Pass.',
        prefix: '/proxy',
        roles: ['admin'],
        open: (call) => {
          opened += 1;
          return Promise.resolve(open(call));
        },
      },
      {},
    );
    const handler = createProxyHandler({
      log,
      clock: systemClock,
      newId: randomUUID,
      operation,
      admit: limit.admit,
      audit: { ...audit, writable: () => Promise.resolve(writable) },
      authenticate: ({ header }) => personOf(header('authorization')),
      rolesOf: ({ row: { roles } }) => roles,
      stallLimits: { lingerMs: 2_000, lingerBytes: 1_000_000, stallMs: 100 },
    });
    const server = await listen({
      settings: { ...SERVER, drainSeconds: 0 },
      handler: (req, res) => void handler.serve({ req, res }),
      shed: ({ req, res }, _count, handle) => {
        handle(req, res);
      },
      mayUpgrade: handler.isFor,
      log,
    });
    servers.push(server);
    return { port: Number(new URL(server.url).port), ends: limit.ends, records, opened: () => opened };
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
    const early = await rawPeer(port);
    early.send(GET.replace('/x', '/never'));
    await until(() => ends.length === 1);
    assert.deepEqual(ends, [0]);
    early.destroy();
    await until(() => ends[0] === 1);
    const late = await rawPeer(port);
    late.send(GET);
    await late.until(/200 OK/);
    assert.deepEqual(ends, [1, 0]);
    late.destroy();
    await until(() => ends[1] === 1);
    assert.deepEqual(ends, [1, 1]);
  });

  it('ends once after its caller has stopped to read', async () => {
    const endless = new Readable({ read() { this.push(Buffer.alloc(65_536)); } }); // prettier-ignore
    const { port, ends } = await openServer(() => replyWith(endless));
    const peer = await rawPeer(port);
    peer.send(GET);
    await peer.until(/200 OK/);
    peer.pause();
    await until(() => ends[0] === 1);
    peer.destroy();
  });

  it('ends once after a WebSocket whose caller leaves during the upgrade', async () => {
    const { port, ends, opened } = await openServer(untilLeft);
    const peer = await rawPeer(port);
    peer.send(handshake('/proxy/a/x', ADMIN));
    await until(() => opened() === 1);
    peer.end();
    await until(() => ends[0] === 1);
  });

  it('does not open after a refusal, and says when to try again', async () => {
    const { port, opened, records } = await openServer(() => replyWith(new PassThrough()), {
      decision: { refusal: REFUSAL },
    });
    for (const message of [GET, handshake('/proxy/a/x', ADMIN)]) {
      const reply = await rawExchange(port, message);
      assert.match(reply, /^HTTP\/1\.1 429 [^]*ratelimit: "a";r=1\r\n/i);
      assert.match(reply, /retry-after: 7\r\n[^]*Wait 7 s, or ask the operator/i);
    }
    assert.deepEqual([opened(), records.length], [0, 0]);
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
