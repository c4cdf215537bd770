import assert from 'node:assert/strict';
import type { HttpReply } from '../../src/core/http.js';
import { Problem } from '../../src/core/problem.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { correct, startHostileUpstream, type Script } from '../support/hostile-upstream.js';
import { FAILURES, ODD_REPLIES } from './hostile-behaviours.js';

/** Generous time limits, so that other causes end the calls. */
const LIMITS = { totalMs: 15_000, firstByteMs: 15_000, replyBytes: 65_536 };
/** Limits for peers whose calls end only by a timeout. */
const SHORT_LIMITS = { ...LIMITS, totalMs: 400, firstByteMs: 250 };

/**
 * Sends to a peer that misbehaves on its first connection; checks that the second request gets the correct
 * reply.
 */
async function exchangeWith(
  script: Script,
  check: (first: Promise<HttpReply>) => Promise<void>,
  limits = LIMITS,
): Promise<void> {
  const upstream = await startHostileUpstream([script, correct]);
  const client = openHttpClient({});
  const send = (target: string, within: typeof LIMITS) =>
    client.send({ method: 'GET', url: upstream.origin + target, headers: {} }, within);
  try {
    await check(send('/first?secret=hunter2', limits));
    const next = await send('/next', LIMITS);
    assert.equal(next.body.toString(), '/next');
    assert.doesNotMatch(
      upstream.received()[0] ?? '',
      /next/,
      'the connection that misbehaved is not used again',
    );
  } finally {
    await upstream.close();
    await client.close();
  }
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('S7: a hostile upstream', () => {
  for (const [name, script, code] of FAILURES) {
    it(`that ${name} results in ${code} in time, and the next request gets the correct reply`, async () => {
      const check = (first: Promise<HttpReply>) =>
        assert.rejects(first, (error) => {
          assert.ok(error instanceof Problem, String(error));
          assert.equal(error.code, code, error.message);
          assert.doesNotMatch(error.message + String(error.cause), /hunter2/);
          return true;
        });
      await exchangeWith(script, check, code === 'upstream_timeout' ? SHORT_LIMITS : LIMITS);
      assert.equal(Object.hasOwn(Object.prototype, 'x'), false);
    });
  }

  for (const [name, script, check] of ODD_REPLIES) {
    it(`that ${name} is accepted, and the next request gets the correct reply`, async () => {
      await exchangeWith(script, async (first) => {
        check(await first);
      });
    });
  }

  it('that replies before the request affects no other request', async () => {
    const early: Script = (socket) => {
      socket.write(`${OK}content-length: 5\r\nconnection: close\r\n\r\nearly`);
    };
    await exchangeWith(early, async (first) => {
      // The bytes may arrive before or after the request is written: as a reply, or as unsolicited bytes.
      const outcome = await first.then(
        (reply) => reply.body.toString(),
        (error: unknown) => (error as Problem).code,
      );
      assert.match(outcome, /^(?:early|upstream_bad_reply|upstream_unreachable)$/);
    });
  });
});
