import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Problem } from '../../src/core/problem.js';
import { createReplyMemories, type ReplyMemories } from '../../src/core/reply-memory.js';
import type { Upstream } from '../../src/core/upstream.js';
import { systemClock } from '../../src/lib/clock.js';
import { createEgressState, openEgress } from '../../src/upstream/egress-caller.js';
import { parseEgress } from '../../src/upstream/egress-policy.js';
import { createEgressSlots } from '../../src/upstream/egress-slots.js';
import { listenOnLoopback } from '../support/loopback.js';
import { upstreamsOfTest } from './upstreams.js';

const NEVER = new AbortController().signal;
const MIB = 1_048_576;
const LARGE = randomBytes(MIB);

describe('the memory of replies while they are read', () => {
  const { opened, open } = upstreamsOfTest();
  let baseUrl: string;
  let upstream: Upstream;
  let reply: (response: ServerResponse) => void;
  let memories: ReplyMemories;
  beforeEach(async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.on('error', () => undefined);
      reply(response);
    });
    baseUrl = `http://${(await opened(listenOnLoopback(server))).host}`;
    upstream = open({ baseUrl, retry: { attempts: 1 }, replyBytes: 4 * MIB });
    memories = createReplyMemories(3 * MIB);
  });

  const send = (method = 'GET', memory = memories.open('core1')) =>
    upstream.send({ method, path: '/', headers: {} }, NEVER, { memory });

  const sendLarge = (response: ServerResponse) =>
    response.setHeader('content-length', LARGE.length).end(LARGE);

  const reserve = (owner: string, bytes: number): void => {
    memories.open(owner).open().resize(bytes);
  };

  async function problemOf(work: Promise<unknown>): Promise<Problem> {
    const error: unknown = await work.catch((caught: unknown) => caught);
    assert.ok(error instanceof Problem, String(error));
    return error;
  }

  it('is the declared length of a large reply, until it is released', async () => {
    reply = sendLarge;
    const memory = memories.open('core1');
    const { body } = await send('GET', memory);
    assert.deepEqual([body.equals(LARGE), memories.reserved], [true, MIB]);
    memory.release();
    assert.equal(memories.reserved, 0);
  });

  it('is nothing for a small reply, which is answered while the memory is full', async () => {
    reserve('other', (9 * MIB) / 4);
    reserve('third', (3 * MIB) / 4);
    reply = (response) => response.end(Buffer.alloc(60_000));
    assert.equal((await send()).body.length, 60_000);
  });

  it('refuses a large reply before it is read if the memory is full', async () => {
    reserve('other', (9 * MIB) / 4);
    const written: Promise<unknown>[] = [];
    reply = (response) => {
      written.push(once(response, 'close'));
      response.writeHead(200, { 'content-length': MIB }).flushHeaders();
    };
    const { code, status, extras } = await problemOf(send());
    assert.deepEqual([code, status, extras.headers], ['overloaded', 503, { 'retry-after': '1' }]);
    // The connection ends, although the orchestrator has sent nothing of the body.
    await Promise.all(written);
    assert.equal(memories.reserved, (9 * MIB) / 4);
  });

  it('refuses a reply without a length when it has grown beyond the memory', async () => {
    reply = (response) => {
      for (let sent = 0; sent < 4; sent += 1) response.write(LARGE);
    };
    assert.equal((await problemOf(send())).code, 'overloaded');
    assert.equal(memories.reserved, 0);
  });

  it('counts a compressed reply by its size after decoding, while it is decoded', async () => {
    const bomb = gzipSync(Buffer.alloc(4 * MIB));
    assert.ok(bomb.length < 65_536);
    reply = (response) => response.setHeader('content-encoding', 'gzip').end(bomb);
    assert.equal((await problemOf(send())).code, 'overloaded');
  });

  it('is what a reply without a length has, which is read in several turns of the event loop', async () => {
    reply = (response) => {
      for (const at of [0, 1]) response.write(LARGE.subarray((at * MIB) / 2, ((at + 1) * MIB) / 2));
      response.end();
    };
    const { body } = await send();
    assert.ok(body.equals(LARGE));
    assert.ok(memories.reserved >= MIB && memories.reserved <= 2 * MIB, String(memories.reserved));
  });

  it('says that the request of a change was sent, without Retry-After', async () => {
    reserve('other', (9 * MIB) / 4);
    reply = sendLarge;
    const { message, extras } = await problemOf(send('POST'));
    assert.match(message, /The request was sent\.$/);
    assert.deepEqual(extras.headers, {});
  });

  it('is shared with restCall, whose replies are released with their places', async () => {
    reply = sendLarge;
    const { policy } = parseEgress({ allow: ['127.0.0.0/8'], deny: [], public: false });
    const limits = { concurrent: 9, concurrentPerSubject: 9, memoryBytes: 100 * MIB };
    const state = { ...createEgressState(systemClock), slots: createEgressSlots(memories) };
    const egress = openEgress(policy, { ...limits, maxReplyBytes: 4 * MIB, timeoutMs: 5000 }, { state });
    const call = { uri: baseUrl, method: 'GET', headers: {}, subject: 'ada' } as const;
    const { release } = await egress.call(call, NEVER);
    assert.equal(memories.reserved, MIB);
    reserve('other', 2 * MIB);
    assert.equal((await problemOf(egress.call(call, NEVER))).code, 'overloaded');
    release();
    assert.equal(memories.reserved, 2 * MIB);
  });
});
