import assert from 'node:assert/strict';
import request from 'supertest';
import { Problem } from '../../src/core/problem.js';
import { releaseHeld } from '../../src/http/on-response.js';
import { buildTestApi, TOKENS } from '../support/http-server.js';
import { rawExchange } from '../support/raw-http.js';
import { handshake } from '../support/stream-orchestrator.js';
import { ADMIN, countingLimit, head, openStreamServer } from './stream-server.js';

const GET = head('GET /proxy/a/x HTTP/1.1');

/** A value without JSON. */
const circular: Record<string, unknown> = {};
circular['self'] = circular;

const REFUSAL = { limit: 'a', detail: 'The limit "a" permits no more.', retryAfterSeconds: 7 };

// proxy-handler.test.ts checks after each of its tests that each stream has ended once.
describe('a limited stream', () => {
  it('does not open after a refusal, and says when to try again', async () => {
    const { port, calls, records, close } = await openStreamServer(() => assert.fail('opened'), {
      decision: { refusal: REFUSAL },
    });
    for (const message of [GET, handshake('/proxy/a/x', ADMIN)]) {
      const reply = await rawExchange(port, message);
      assert.match(reply, /^HTTP\/1\.1 429 [^]*ratelimit: "a";r=1\r\n/i);
      assert.match(reply, /retry-after: 7\r\n[^]*Wait 7 s, or ask the operator/i);
    }
    assert.deepEqual([calls.length, records.length], [0, 0]);
    await close();
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
    ['a reply that has no JSON form', () => ({ body: circular })],
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
