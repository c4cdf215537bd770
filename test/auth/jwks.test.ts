import assert from 'node:assert/strict';
import type { KeySource } from '../../src/auth/issuer.js';
import { createUnknownKeys, openRemoteKeys } from '../../src/auth/jwks.js';
import { createVerifier } from '../../src/auth/verifier.js';
import type { HttpClient, HttpReply } from '../../src/core/http.js';
import type { TokenVerifier } from '../../src/core/principal.js';
import { Problem } from '../../src/core/problem.js';
import { openHttpClient } from '../../src/upstream/client.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { type Answer, type JwksServer, startJwksServer } from '../support/jwks-server.js';
import { type LogLine, memoryLog } from '../support/memory-log.js';
import { makeIssuer } from '../support/tokens.js';
import { acceptNow, manualClock, NOW, problemOf, refusalOf } from './fixtures.js';

const HOUR = 3600;

describe('openRemoteKeys', () => {
  const clock = manualClock();
  const now = (): number => clock.now();
  const [idp, next] = [makeIssuer({ now, kid: 'one' }), makeIssuer({ now, kid: 'two' })];
  let server: JwksServer;
  let keys: KeySource;
  let verifier: TokenVerifier;
  let lines: readonly LogLine[];
  let sent: Promise<HttpReply>[];

  beforeEach(async () => {
    clock.seconds = NOW;
    server = await startJwksServer();
    server.publish(idp.jwk);
    open();
  });
  afterEach(async () => {
    await keys.close();
    await server.close();
  });

  function open(
    location: { issuer: string; jwksUri?: string } = {
      issuer: 'https://idp.test',
      jwksUri: `${server.url}/jwks`,
    },
  ): void {
    const memory = memoryLog();
    [lines, sent] = [memory.lines, []];
    const client = watched(openHttpClient({}));
    keys = openRemoteKeys({ location, algorithms: ['ES256'], client, clock, log: memory.log });
    const rules = { ...idp.settings, issuer: location.issuer };
    verifier = createVerifier({ issuers: [{ rules, keys }], clock });
  }

  /** Waits until the background fetches have ended and their keys are in use. */
  async function settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
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

  it('finds a new key at once although strangers name other unknown keys', async () => {
    await accept(idp.sign());
    for (let at = 0; at < 3; at++) await refusalOf(verifier, next.sign({}, { kid: `random-${at}` }));
    server.publish(idp.jwk, next.jwk);
    await accept(next.sign());
    assert.equal(server.requests.length, 5);
  });

  it('lets the token of a new key wait for the next fetch after strangers have used up the fetches', async () => {
    await accept(idp.sign());
    const unknown = Array.from({ length: 20 }, (_, at) => next.sign({}, { kid: `random-${at}` }));
    for (const token of unknown.slice(0, 5)) await refusalOf(verifier, token);
    server.publish(idp.jwk, next.jwk);
    const before = server.requests.length;
    const refused = unknown.slice(5).map((token) => refusalOf(verifier, token));
    const accepted = accept(next.sign());
    assert.equal(server.requests.length, before);
    clock.seconds += 2;
    await accepted;
    assert.deepEqual(new Set(await Promise.all(refused)), new Set(['no key of the issuer fits']));
    assert.equal(server.requests.length, before + 1);
  });

  it('backs off for a key id that a fetch did not find, and forgets this when the set changes', async () => {
    await accept(idp.sign());
    await refusalOf(verifier, next.sign());
    assert.equal(server.requests.length, 2);
    await refusalOf(verifier, next.sign({ jti: 'again' }));
    assert.equal(server.requests.length, 2);
    clock.seconds += 1;
    await refusalOf(verifier, next.sign());
    assert.equal(server.requests.length, 3);
    clock.seconds += 1;
    await refusalOf(verifier, next.sign());
    assert.equal(server.requests.length, 3);
    server.publish(idp.jwk, next.jwk);
    await refusalOf(verifier, next.sign({}, { kid: 'another' }));
    await accept(next.sign());
    assert.equal(server.requests.length, 4);
  });

  it('fetches no keys for a token that is refused anyway', async () => {
    for (const claims of [{ exp: NOW - 60 }, { aud: 'another' }, { nonce: 'n' }, { cnf: { jkt: 'x' } }])
      await refusalOf(verifier, next.sign(claims));
    assert.deepEqual(server.requests, []);
  });

  it('refreshes the keys in the background after 30 seconds', async () => {
    await accept(idp.sign());
    server.publish(next.jwk);
    clock.seconds += 29;
    acceptNow(verifier, idp.sign());
    assert.equal(server.requests.length, 1);
    clock.seconds += 1;
    acceptNow(verifier, idp.sign());
    await settled();
    assert.equal(server.requests.length, 2);
    acceptNow(verifier, next.sign());
    await refusalOf(verifier, idp.sign({ jti: 'new' }));
  });

  it('refuses the tokens of a removed key after 60 seconds, also those that it accepted before', async () => {
    const token = idp.sign();
    await accept(token);
    server.publish(next.jwk);
    clock.seconds += 60;
    assert.match(await refusalOf(verifier, token), /no key/);
  });

  it('refuses the tokens of a removed key at once after refresh', async () => {
    const token = idp.sign();
    await accept(token);
    server.publish(next.jwk);
    keys.refresh();
    assert.match(await refusalOf(verifier, token), /no key/);
    await accept(next.sign());
  });

  it('keeps the keys after refresh while the issuer does not answer', async () => {
    const token = idp.sign();
    await accept(token);
    server.answer((_, response) => response.destroy());
    keys.refresh();
    await accept(token);
  });

  it('looks up the address of the key set again only after 10 minutes', async () => {
    await keys.close();
    const own = makeIssuer({ now, issuer: server.url, kid: 'own' });
    server.publish(own.jwk);
    open({ issuer: server.url });
    const sign = (): string => own.sign({ iss: server.url, exp: clock.seconds + 300 });
    await accept(sign());
    for (let at = 0; at < 10; at++) {
      clock.seconds += 60;
      await accept(sign());
    }
    const lookups = server.requests.filter((url) => url.startsWith('/.well-known/'));
    assert.deepEqual([lookups.length, server.requests.length], [2, 13]);
  });

  it('keeps cached tokens when a refresh returns the same keys', async () => {
    const token = idp.sign({ exp: NOW + HOUR });
    await accept(token);
    const principal = acceptNow(verifier, token);
    clock.seconds += 30;
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
    open({ issuer: 'https://idp.test', jwksUri: 'http://idp.example/jwks' });
    assert.equal((await problemOf(verifier, idp.sign())).code, 'issuer_unavailable');
    assert.match(String(lines[0]?.fields['reason']), /not https/);
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
      clock.seconds += 30;
      acceptNow(verifier, idp.sign());
      await settled();
      assert.equal(lines.at(-1)?.message, 'key fetch failed; keeping the current keys');
      clock.seconds = NOW + 24 * HOUR - 1;
      acceptNow(verifier, idp.sign());
      await settled();
      // The new key may be known to the issuer, so the token must not be refused for good.
      assert.equal((await problemOf(verifier, next.sign())).code, 'issuer_unavailable');
      clock.seconds = NOW + 24 * HOUR;
      assert.equal((await problemOf(verifier, idp.sign())).code, 'issuer_unavailable');
      server.publish(idp.jwk);
      clock.seconds += 31;
      await accept(idp.sign());
    });

  for (const [name, keys] of Object.entries({ 'no key': '', 'an unusable key': '{"kty":"oct","k":"AAAA"}' }))
    // prettier-ignore
    it(`drops its keys when the issuer publishes ${name}, which is not an outage`, async () => {
      await accept(idp.sign());
      server.answer((_, response) => response.end(`{"keys":[${keys}]}`));
      clock.seconds += 30;
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
    clock.seconds += 30;
    acceptNow(verifier, idp.sign());
    await asked;
    acceptNow(verifier, idp.sign({ jti: 'meanwhile' }));
    const waiting = problemOf(verifier, next.sign());
    await keys.close();
    assert.equal((await waiting).code, 'issuer_unavailable');
    assert.deepEqual(lines, []);
    open();
  });

  it('fetches every 5 seconds without keys and every 30 seconds during an outage', async () => {
    server.answer((_, response) => response.writeHead(503).end());
    const ask = async (seconds: number): Promise<number> => {
      clock.seconds += seconds;
      for (let at = 0; at < 20; at++) {
        const { status, extras } = await problemOf(verifier, idp.sign({ jti: `${at}` }));
        assert.equal(status, 503);
        assert.match(String(extras.headers?.['retry-after']), /^[1-5]$/);
      }
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
    // The first one is sent again, because its connection was used before.
    assert.deepEqual([await use(29), await use(1), await use(29), await use(1)], [3, 5, 5, 6]);
  });

  it('continues after the clock was set back', async () => {
    await accept(idp.sign());
    await refusalOf(verifier, next.sign());
    clock.seconds = NOW - HOUR;
    server.publish(next.jwk);
    await accept(next.sign());
  });
});

describe('createUnknownKeys', () => {
  it('runs one fetch for all tokens that wait, and refuses further tokens with 503', async () => {
    const scheduler = createFakeScheduler();
    const keys = createUnknownKeys(scheduler);
    let fetches = 0;
    const fetch = (): Promise<void> => {
      fetches += 1;
      return Promise.resolve();
    };
    for (let at = 0; at < 5; at += 1) await keys.nextFetch(fetch);
    const waiting = Array.from({ length: 500 }, () => keys.nextFetch(fetch));
    await assert.rejects(keys.nextFetch(fetch), (error: unknown) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual([error.status, error.extras.headers], [503, { 'retry-after': '2' }]);
      return true;
    });
    assert.equal(fetches, 5);
    await scheduler.pass(2_000);
    await Promise.all(waiting);
    assert.equal(fetches, 6);
    await scheduler.pass(1_999);
    const late = keys.nextFetch(fetch);
    assert.equal(fetches, 6);
    await scheduler.pass(1);
    await late;
    assert.equal(fetches, 7);
  });

  it('doubles the time of an absent key id, once for all tokens that waited together', async () => {
    const scheduler = createFakeScheduler();
    const keys = createUnknownKeys(scheduler);
    const absentFor = async (): Promise<number> => {
      for (let at = 0; at < 20; at += 1) keys.noteAbsent('a');
      let seconds = 0;
      for (; keys.isAbsent('a'); seconds += 1) await scheduler.pass(1_000);
      return seconds;
    };
    assert.equal(keys.isAbsent('a'), false);
    assert.deepEqual([await absentFor(), await absentFor(), await absentFor()], [1, 2, 4]);
    for (let at = 0; at < 5; at += 1) await absentFor();
    assert.equal(await absentFor(), 60);
    keys.noteAbsent('a');
    keys.reset();
    assert.equal(keys.isAbsent('a'), false);
    assert.equal(await absentFor(), 1);
  });

  it('ends the waits on close', async () => {
    const keys = createUnknownKeys(createFakeScheduler());
    for (let at = 0; at < 5; at += 1) await keys.nextFetch(() => Promise.resolve());
    const waiting = keys.nextFetch(() => Promise.resolve());
    await new Promise((resolve) => setImmediate(resolve));
    keys.close();
    await waiting;
  });
});
