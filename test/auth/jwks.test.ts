import assert from 'node:assert/strict';
import { createVerifier } from '../../src/auth/verifier.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { openRemoteKeys } from '../../src/auth/jwks.js';
import type { KeySource } from '../../src/auth/issuer.js';
import type { HttpClient, HttpReply } from '../../src/core/http.js';
import type { TokenVerifier } from '../../src/core/principal.js';
import { type Answer, type JwksServer, startJwksServer } from '../support/jwks-server.js';
import { type LogLine, memoryLog } from '../support/memory-log.js';
import { makeIssuer, type TestIssuer } from '../support/tokens.js';
import { acceptNow, manualClock, NOW, refusalOf } from './fixtures.js';

const MINUTE = 60;
const HOUR = 3600;

describe('openRemoteKeys', () => {
  const clock = manualClock();
  const now = (): number => clock.now();
  let server: JwksServer;
  let idp: TestIssuer;
  let next: TestIssuer;
  let keys: KeySource;
  let verifier: TokenVerifier;
  let lines: readonly LogLine[];
  let sent: Promise<HttpReply>[];

  before(() => {
    idp = makeIssuer({ now, issuer: 'https://idp.test', kid: 'one' });
    next = makeIssuer({ now, issuer: 'https://idp.test', kid: 'two' });
  });
  after(() => {
    idp.remove();
    next.remove();
  });
  beforeEach(async () => {
    clock.seconds = NOW;
    server = await startJwksServer();
    server.publish(idp.jwk);
    open({ issuer: 'https://idp.test', jwksUri: `${server.url}/jwks` });
  });
  afterEach(async () => {
    await keys.close();
    await server.close();
  });

  function open(location: { issuer: string; jwksUri?: string }): void {
    const { log, lines: written } = memoryLog();
    lines = written;
    sent = [];
    keys = openRemoteKeys({
      location,
      algorithms: ['ES256'],
      client: watched(openHttpClient({})),
      clock,
      log,
    });
    verifier = createVerifier({
      issuers: [{ rules: { ...idp.settings, issuer: location.issuer }, keys }],
      clock,
    });
  }

  /** Waits until the background fetches have ended and their keys are in use. */
  async function settled(): Promise<void> {
    await Promise.allSettled(sent);
    await new Promise((resolve) => setImmediate(resolve));
  }

  function watched(client: HttpClient): HttpClient {
    return {
      ...client,
      send(...request) {
        const reply = client.send(...request);
        sent.push(reply);
        return reply;
      },
    };
  }

  async function accept(token: string): Promise<void> {
    assert.equal((await verifier.verify(token)).subject, 'tester');
  }

  it('fetches the keys on the first token, once for concurrent callers', async () => {
    assert.deepEqual(server.requests, []);
    await Promise.all(Array.from({ length: 50 }, (_, at) => accept(idp.sign({ jti: `${at}` }))));
    assert.deepEqual(server.requests, ['/jwks']);
    acceptNow(verifier, idp.sign({ jti: 'later' }));
  });

  it('fetches the keys ahead of the first token with prepare', async () => {
    await keys.prepare();
    acceptNow(verifier, idp.sign());
    assert.equal(server.requests.length, 1);
  });

  it('fetches the keys again when a token names a new key', async () => {
    await accept(idp.sign());
    server.publish(idp.jwk, next.jwk);
    await accept(next.sign());
    acceptNow(verifier, idp.sign({ jti: 'overlap' }));
    assert.equal(server.requests.length, 2);
  });

  it('fetches the keys at most twice for 10,000 unknown kids, and once more after the cooldown', async function () {
    // Creates and verifies 11,000 signatures, possibly on a busy machine.
    this.timeout(120_000);
    const flood = async (wave: number): Promise<void> => {
      const kids = Array.from({ length: 100 }, (_, at) => `${wave}-${at}`);
      const reasons = await Promise.all(kids.map((kid) => refusalOf(verifier, next.sign({}, { kid }))));
      assert.deepEqual([...new Set(reasons)], ['no key of the issuer fits']);
    };
    for (let wave = 0; wave < 100; wave++) await flood(wave);
    assert.ok(server.requests.length <= 2, `${server.requests.length} fetches`);
    const before = server.requests.length;
    clock.seconds += 31;
    for (let wave = 100; wave < 110; wave++) await flood(wave);
    assert.equal(server.requests.length, before + 1, JSON.stringify(lines));
    acceptNow(verifier, idp.sign());
  });

  it('refreshes the keys in the background after 10 minutes', async () => {
    await accept(idp.sign());
    server.publish(next.jwk);
    clock.seconds += 10 * MINUTE - 1;
    acceptNow(verifier, idp.sign());
    assert.equal(server.requests.length, 1);
    clock.seconds += 1;
    acceptNow(verifier, idp.sign());
    await settled();
    assert.equal(server.requests.length, 2);
    acceptNow(verifier, next.sign());
    clock.seconds += 31;
    await refusalOf(verifier, idp.sign({ jti: 'new' }));
  });

  it('rejects accepted tokens after their key was withdrawn', async () => {
    const token = idp.sign();
    await accept(token);
    server.publish(next.jwk);
    await accept(next.sign());
    assert.match(await refusalOf(verifier, token), /no key/);
  });

  it('keeps cached tokens when a refresh returns the same keys', async () => {
    const token = idp.sign({ exp: NOW + HOUR });
    await accept(token);
    const principal = acceptNow(verifier, token);
    clock.seconds += 10 * MINUTE;
    acceptNow(verifier, token);
    await settled();
    assert.equal(server.requests.length, 2);
    assert.equal(acceptNow(verifier, token), principal);
  });

  it('fetches keys that were unused for an hour before it uses them', async () => {
    const token = idp.sign({ exp: NOW + 2 * HOUR });
    await accept(token);
    server.publish(next.jwk);
    clock.seconds += HOUR;
    assert.match(await refusalOf(verifier, token), /no key/);
  });

  it('fetches keys only over https or from the loopback address', async () => {
    for (const jwksUri of [
      'http://idp.example/jwks',
      'ftp://127.0.0.1/jwks',
      'https://a:b@idp.example/jwks',
    ]) {
      open({ issuer: 'https://idp.test', jwksUri });
      assert.match(await refusalOf(verifier, idp.sign()), /not available/);
      assert.match(String(lines[0]?.fields['reason']), /not https/);
    }
  });

  const outages: Readonly<Record<string, Answer>> = {
    'answers 500': (_, response) => response.writeHead(500).end(JSON.stringify({ keys: [next.jwk] })),
    'answers 204': (_, response) => response.writeHead(204).end(),
    'answers HTML': (_, response) => response.end('<html>login</html>'),
    'answers nothing': (_, response) => response.end(),
    'answers no set': (_, response) => response.end('{"keys":{}}'),
    'answers a set twice': (_, response) => response.end('{"keys":[],"keys":[]}'),
    'answers too much': (_, response) => response.end(`{"keys":[],"x":"${'x'.repeat(300 * 1024)}"}`),
    'redirects': (_, response) => response.writeHead(302, { location: '/jwks' }).end(),
    'breaks off': (_, response) => response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
    'hangs up': (_, response) => response.destroy(),
  }; // prettier-ignore
  for (const [name, answer] of Object.entries(outages))
    it(`keeps the keys for 24 hours when the issuer ${name}`, async () => {
      await accept(idp.sign());
      server.answer(answer);
      clock.seconds += 10 * MINUTE;
      acceptNow(verifier, idp.sign());
      await settled();
      assert.equal(lines.at(-1)?.message, 'key fetch failed; keeping the current keys');
      clock.seconds = NOW + 24 * HOUR - 1;
      acceptNow(verifier, idp.sign());
      await settled();
      assert.match(await refusalOf(verifier, next.sign()), /no key/);
      clock.seconds = NOW + 24 * HOUR;
      assert.match(await refusalOf(verifier, idp.sign()), /not available/);
      server.publish(idp.jwk);
      clock.seconds += 31;
      await accept(idp.sign());
    });

  for (const [name, keys] of Object.entries({ 'no key': '', 'an unusable key': '{"kty":"oct","k":"AAAA"}' }))
    // prettier-ignore
    it(`drops its keys when the issuer publishes ${name}, which is not an outage`, async () => {
      await accept(idp.sign());
      server.answer((_, response) => response.end(`{"keys":[${keys}]}`));
      clock.seconds += 10 * MINUTE;
      acceptNow(verifier, idp.sign());
      await settled();
      assert.equal(lines.at(-1)?.message, 'key set contains no usable key; refusing all tokens of the issuer');
      assert.match(await refusalOf(verifier, idp.sign()), /no key/);
    });

  it('does not wait for an issuer that does not answer, and aborts the fetch on close', async () => {
    await accept(idp.sign());
    const asked = new Promise<void>((resolve) => {
      server.answer(() => {
        resolve();
      });
    });
    clock.seconds += 10 * MINUTE;
    acceptNow(verifier, idp.sign());
    await asked;
    acceptNow(verifier, idp.sign({ jti: 'meanwhile' }));
    const waiting = refusalOf(verifier, next.sign());
    await keys.close();
    assert.match(await waiting, /no key/);
    assert.deepEqual(lines, []);
    open({ issuer: 'https://idp.test', jwksUri: `${server.url}/jwks` });
  });

  it('fetches every 5 seconds without keys and every 30 seconds during an outage', async () => {
    server.answer((_, response) => response.writeHead(503).end());
    const ask = async (seconds: number): Promise<number> => {
      clock.seconds += seconds;
      for (let at = 0; at < 20; at++) await refusalOf(verifier, idp.sign({ jti: `${at}` }));
      return server.requests.length;
    };
    assert.deepEqual([await ask(0), await ask(4), await ask(1)], [1, 1, 2]);
    server.publish(idp.jwk);
    clock.seconds += 5;
    await accept(idp.sign());
    server.answer((_, response) => response.destroy());
    const use = async (seconds: number): Promise<number> => {
      clock.seconds += seconds;
      for (let at = 0; at < 20; at++) acceptNow(verifier, idp.sign({ jti: `${at}` }));
      await settled();
      return server.requests.length;
    };
    assert.deepEqual([await use(599), await use(1), await use(29), await use(1)], [3, 4, 4, 5]);
  });

  it('continues after the clock was set back', async () => {
    await accept(idp.sign());
    await refusalOf(verifier, next.sign());
    clock.seconds = NOW - HOUR;
    server.publish(next.jwk);
    await accept(next.sign());
  });
});
