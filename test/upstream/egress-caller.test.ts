import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { EgressCaller, OutboundCall } from '../../src/core/egress.js';
import { systemClock } from '../../src/core/lib/clock.js';
import { Problem } from '../../src/core/problem.js';
import type { ProblemCode } from '../../src/core/problem-codes.js';
import { createDnsLookup, type Lookup } from '../../src/upstream/dns-lookup.js';
import { createEgressState, openEgress } from '../../src/upstream/egress-caller.js';
import { createOwnAddressCheck } from '../../src/upstream/own-addresses.js';
import { dial } from '../../src/upstream/connect.js';
import { parseEgress } from '../../src/upstream/egress-policy.js';
import { makeCertificate } from '../support/certificates.js';
import {
  answer,
  correct,
  onRequest,
  startHostileUpstream,
  type HostileUpstream,
} from '../support/hostile-upstream.js';
import { loopbackSpellings } from '../support/loopback-spellings.js';
import { until } from '../support/until.js';

const SETTINGS = {
  maxReplyBytes: 10_000,
  timeoutMs: 5_000,
  concurrent: 100,
  concurrentPerSubject: 100,
  memoryBytes: 10_000_000,
};
const NEVER_ABORTED = new AbortController().signal;

function egressTo(allow: string[], lookup: Lookup = createDnsLookup(), settings = SETTINGS): EgressCaller {
  const { policy, faults } = parseEgress({ allow, deny: [], public: true });
  assert.deepEqual(faults, []);
  return openEgress(policy, settings, { lookup });
}

const callOf = (uri: string, more: Partial<OutboundCall> = {}): OutboundCall => ({
  uri,
  method: 'GET',
  headers: {},
  subject: 'ada',
  ...more,
});

const failsWith =
  (...codes: ProblemCode[]) =>
  (error: unknown) => {
    assert.ok(error instanceof Problem, String(error));
    assert.ok(codes.includes(error.code), `${error.code}: ${error.message}`);
    return true;
  };

/** Creates a fake resolver that counts its calls and answers on a later tick, as a real resolver does. */
function lookupOf(...answers: readonly (readonly string[])[]): Lookup & { count: number } {
  const lookup = async (): Promise<readonly string[]> => {
    await Promise.resolve();
    const at = Math.min(lookup.count, answers.length - 1);
    lookup.count += 1;
    return answers[at] ?? [];
  };
  lookup.count = 0;
  return lookup;
}

describe('the egress caller', () => {
  let canary: HostileUpstream;
  beforeEach(async () => {
    canary = await startHostileUpstream([correct]);
  });
  afterEach(() => canary.close());

  it('never connects to loopback by default, with any of more than 120 spellings', async () => {
    const toLoopback = lookupOf(['127.0.0.1']);
    const egress = egressTo([], toLoopback);
    const variants = loopbackSpellings(canary.port);
    assert.ok(variants.length >= 120, String(variants.length));
    for (const uri of variants) {
      await assert.rejects(
        egress.call(callOf(uri), NEVER_ABORTED),
        failsWith('invalid_uri', 'egress_denied'),
        JSON.stringify(uri),
      );
    }
    assert.equal(canary.connections(), 0);
    // Control: the same call reaches the canary if the policy allows it.
    const reply = await egressTo(['127.0.0.1']).call(callOf(`${canary.origin}/sing`), NEVER_ABORTED);
    assert.equal(reply.body.toString(), '/sing');
    assert.equal(canary.connections(), 1);
  });

  it('names the host and the address class in a refusal, but no address', async () => {
    const egress = egressTo([], lookupOf(['10.1.2.3']));
    await assert.rejects(
      egress.call(callOf('http://inside.example/?token=hunter2'), NEVER_ABORTED),
      (error) => {
        assert.ok(error instanceof Problem);
        assert.equal(error.message, 'calls to "inside.example" are not allowed: its address is private');
        return true;
      },
    );
  });

  it('resolves a name once and connects to the checked address, even if the name changes afterwards', async () => {
    const other = await startHostileUpstream([correct], '127.0.0.2');
    for (let round = 0; round < 20; round += 1) {
      const lookup = lookupOf(['127.0.0.2'], ['127.0.0.1']);
      const egress = egressTo(['127.0.0.2'], lookup);
      await egress.call(callOf(`http://rebind.example:${other.port}/`), NEVER_ABORTED);
      assert.equal(lookup.count, 1);
    }
    assert.equal(other.connections(), 20);
    assert.equal(canary.connections(), 0);
    await other.close();
  });

  it('refuses a name if any of its addresses is denied', async () => {
    const bad = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', 'fe80::1%lo', 'nonsense'];
    const many = Array.from({ length: 64 }, (_, at) => `127.0.1.${at}`);
    for (const address of bad) {
      for (const addresses of [
        [address],
        ['127.0.1.1', address],
        [address, '127.0.1.1'],
        [...many, address],
      ]) {
        const egress = egressTo(['127.0.1.0/24'], lookupOf(addresses));
        await assert.rejects(
          egress.call(callOf(`http://mixed.example:${canary.port}/`), NEVER_ABORTED),
          failsWith('egress_denied'),
        );
      }
    }
    assert.equal(canary.connections(), 0);
  });

  it('connects to the next checked address when the first refuses the connection', async () => {
    const egress = egressTo(['127.0.0.0/8'], lookupOf(['127.0.0.3', '127.0.0.1']));
    const reply = await egress.call(callOf(`http://two.example:${canary.port}/`), NEVER_ABORTED);
    assert.equal(reply.status, 200);
  });

  it('writes nothing to a connection whose address fails the check', async () => {
    const inspect = () => {
      throw new Error('another address');
    };
    await assert.rejects(
      dial({ address: '127.0.0.1', port: canary.port, inspect }, { connectMs: 5_000 }),
      /another/,
    );
    const reply = await egressTo(['127.0.0.1']).call(callOf(canary.origin), NEVER_ABORTED);
    assert.equal(reply.status, 200);
    assert.equal(canary.received()[0], '');
  });

  it('reports a name without an address and an unknown name', async () => {
    const none = egressTo([], lookupOf([]));
    await assert.rejects(
      none.call(callOf('http://h.example/'), NEVER_ABORTED),
      failsWith('upstream_unreachable'),
    );
    const unknown = egressTo([], () =>
      Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })),
    );
    await assert.rejects(unknown.call(callOf('http://h.example/'), NEVER_ABORTED), /host name is not known/);
  });

  it('sends each request on its own connection, with the credentials as Basic', async () => {
    const egress = egressTo(['api.example'], lookupOf(['127.0.0.1']));
    const call = callOf(`http://api.example:${canary.port}/a?b=%20`, {
      method: 'POST',
      headers: { 'X-Trace': 'é' },
      credentials: { user: 'ünï', password: 'p:w' },
      body: Buffer.from('{}'),
    });
    await egress.call(call, NEVER_ABORTED);
    await egress.call(call, NEVER_ABORTED);
    assert.equal(canary.connections(), 2);
    const sent = (canary.received()[0] ?? '').split('\r\n');
    assert.deepEqual(sent, [
      'POST /a?b=%20 HTTP/1.1',
      `host: api.example:${canary.port}`,
      'connection: close',
      'X-Trace: é',
      `authorization: Basic ${Buffer.from('ünï:p:w').toString('base64')}`,
      'accept-encoding: identity',
      'content-length: 2',
      '',
      '{}',
    ]);
  });

  it('finding F2: refuses a content coding that was not asked for, and decodes one that was', async () => {
    const coded = gzipSync('a text');
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${coded.length}\r\n\r\n`;
    const gzipping = await startHostileUpstream([answer(Buffer.concat([Buffer.from(head), coded]))]);
    const egress = egressTo(['127.0.0.1']);
    for (const headers of [{}, { 'Accept-Encoding': 'br, gzip;q=0' }])
      await assert.rejects(
        egress.call(callOf(gzipping.origin, { headers }), NEVER_ABORTED),
        /content coding that was not requested/,
      );
    for (const coding of ['gzip', 'br, GZIP;q=0.5', '*']) {
      const call = callOf(gzipping.origin, { headers: { 'Accept-Encoding': coding } });
      assert.equal((await egress.call(call, NEVER_ABORTED)).body.toString(), 'a text');
    }
    await gzipping.close();
  });

  it('finding F2: counts a call until its reply is released, or until it has failed', async () => {
    const egress = egressTo(['127.0.0.1'], createDnsLookup(), { ...SETTINGS, concurrentPerSubject: 1 });
    const call = callOf(canary.origin);
    await assert.rejects(egress.call(callOf('http://['), NEVER_ABORTED), failsWith('invalid_uri'));
    const { release } = await egress.call(call, NEVER_ABORTED);
    await assert.rejects(egress.call(call, NEVER_ABORTED), failsWith('too_many_requests'));
    await egress.call({ ...call, subject: 'bob' }, NEVER_ABORTED);
    release();
    await egress.call(call, NEVER_ABORTED);
    assert.equal(canary.connections(), 3);
  });

  it('finding F3: cancels the lookup when the caller leaves, and begins no lookup that waited', async () => {
    const begun: string[] = [];
    let cancelled = 0;
    const silent: Lookup = (name, signal) => {
      signal.throwIfAborted();
      begun.push(name);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          cancelled += 1;
          reject(signal.reason as Error);
        });
      });
    };
    const egress = egressTo([], silent);
    const caller = new AbortController();
    const calls = Array.from({ length: 4 }, (_, at) =>
      assert.rejects(
        egress.call(callOf(`http://a${at}.hang.test/`), caller.signal),
        failsWith('caller_gone'),
      ),
    );
    await until(() => begun.length === 2);
    caller.abort();
    await Promise.all(calls);
    assert.deepEqual([begun, cancelled], [['a0.hang.test', 'a1.hang.test'], 2]);
  });

  it('finding F15: never connects to the listener or to another service of this server', async () => {
    const lookup = lookupOf(['127.0.0.1']);
    const { policy } = parseEgress({
      allow: ['127.0.0.0/8', `127.0.0.1:${canary.port}`],
      deny: [],
      public: true,
    });
    const service = { name: 'Vault', host: 'vault.example', port: canary.port };
    const ownAddressCheck = createOwnAddressCheck(systemClock, () => Promise.resolve(['127.0.0.1']));
    const state = { ...createEgressState(systemClock), ownAddressCheck };
    const withVault = openEgress(policy, SETTINGS, { lookup, state, ownAddresses: [service] });
    const listening = openEgress(policy, SETTINGS, { lookup });
    listening.denyListener(`https://0.0.0.0:${canary.port}`);
    for (const host of ['127.0.0.1', 'name.example', '127.0.0.2']) {
      const call = callOf(`http://${host}:${canary.port}/`);
      await assert.rejects(withVault.call(call, NEVER_ABORTED), /its address and port are those of Vault/);
      await assert.rejects(
        listening.call(call, NEVER_ABORTED),
        /its address and port are those of this server/,
      );
    }
    assert.equal(canary.connections(), 0);
  });

  it('returns a redirect and does not follow it', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const redirecting = await startHostileUpstream([
        answer(
          `HTTP/1.1 ${status} X\r\nlocation: ${canary.origin}/\r\nrefresh: 0\r\ncontent-length: 0\r\n\r\n`,
        ),
      ]);
      const reply = await egressTo(['127.0.0.1']).call(callOf(redirecting.origin), NEVER_ABORTED);
      assert.equal(reply.status, status);
      assert.equal(reply.headers['location'], `${canary.origin}/`);
      await redirecting.close();
    }
    assert.equal(canary.connections(), 0);
  });

  it('refuses every reserved or malformed header with its pointer, without a connection', async () => {
    const egress = egressTo(['127.0.0.1']);
    const refused: readonly (readonly [Record<string, string>, readonly string[]])[] = [
      ...[
        ...[
          'Host',
          'content-length',
          'Transfer-Encoding',
          'CONNECTION',
          'Keep-Alive',
          'Upgrade',
          'TE',
          'Trailer',
        ],
        ...[
          'Expect',
          'Proxy-Authorization',
          'Proxy-Connection',
          'X-Forwarded-For',
          'x-forwarded-host',
          'Forwarded',
        ],
        ...[
          'Transfer_Encoding',
          'Content_Length',
          'Transfer.Encoding',
          'a_b',
          '__proto__x',
          '',
          'a b',
          'a:b',
          'a\r\nb',
          'ä',
          'a(b)',
          '\0',
        ],
      ].map((name) => [{ [name]: 'x' }, [`/headers/${name}`]] as const),
      ...['a\r\nHost: evil', 'a\nb', 'a\rb', 'a\0b', '\u2028', '€', '\x7f'].map(
        (value) => [{ ok: value }, ['/headers/ok']] as const,
      ),
      [{ Accept: 'a', ACCEPT: 'b', host: 'c' }, ['/headers/ACCEPT', '/headers/host']],
      [{ 'a/b': 'x', 'a~b_': 'y' }, ['/headers/a~1b', '/headers/a~0b_']],
      [Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x${at}`, ''])), ['/headers']],
      [{ x: 'a'.repeat(16_384) }, ['/headers']],
    ];
    for (const [headers, pointers] of refused) {
      await assert.rejects(egress.call(callOf(canary.origin, { headers }), NEVER_ABORTED), (error) => {
        assert.ok(error instanceof Problem);
        assert.equal(error.code, 'invalid_header');
        assert.deepEqual(
          error.extras.errors?.map(({ pointer }) => pointer),
          pointers,
        );
        return true;
      });
    }
    const both = { headers: { AUTHORIZATION: 'x' }, credentials: { user: 'u', password: 'p' } };
    await assert.rejects(
      egress.call(callOf(canary.origin, both), NEVER_ABORTED),
      failsWith('invalid_header'),
    );
    assert.equal(canary.connections(), 0);
    await egress.call(callOf(canary.origin, { headers: both.headers }), NEVER_ABORTED);
    assert.match(canary.received()[0] ?? '', /AUTHORIZATION: x\r\n/);
  });

  it('enforces its deadline and its size limit, and disconnects when the caller leaves', async () => {
    const silent = await startHostileUpstream([() => undefined]);
    const hasty = egressTo(['127.0.0.1'], createDnsLookup(), { ...SETTINGS, timeoutMs: 100 });
    await assert.rejects(hasty.call(callOf(silent.origin), NEVER_ABORTED), failsWith('upstream_timeout'));
    await assert.rejects(
      hasty.call(callOf(silent.origin.replace('http', 'https')), NEVER_ABORTED),
      failsWith('upstream_timeout'),
    );
    const never = egressTo([], () => new Promise(() => undefined), { ...SETTINGS, timeoutMs: 50 });
    await assert.rejects(
      never.call(callOf('http://h.example/'), NEVER_ABORTED),
      failsWith('upstream_timeout'),
    );
    await silent.close();

    const large = await startHostileUpstream([answer(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(10_001)}`)]);
    const egress = egressTo(['127.0.0.1']);
    await assert.rejects(egress.call(callOf(large.origin), NEVER_ABORTED), failsWith('upstream_too_large'));
    await large.close();

    const caller = new AbortController();
    let closed: Promise<unknown> | undefined;
    const waiting = await startHostileUpstream([
      onRequest((socket) => {
        closed = once(socket, 'end');
        caller.abort();
      }),
    ]);
    await assert.rejects(egress.call(callOf(waiting.origin), caller.signal), failsWith('caller_gone'));
    await closed;
    await waiting.close();
  });

  it('closes its connection at the end of the call', async () => {
    const ends: Promise<unknown>[] = [];
    const server = createServer((socket) => {
      ends.push(once(socket, 'close'));
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await egressTo(['127.0.0.1']).call(callOf(`http://127.0.0.1:${port}/`), NEVER_ABORTED);
    await Promise.all(ends);
    assert.equal(ends.length, 1);
    server.close();
  });

  it('verifies the certificate against the host of the URI, not against the address', async () => {
    const certificate = await makeCertificate({ dns: 'api.example' });
    const names: unknown[] = [];
    const server = createTlsServer(certificate, (request, response) => {
      names.push((request.socket as { servername?: unknown }).servername, request.headers.host);
      response.end('hi');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { policy } = parseEgress({ allow: ['127.0.0.1'], deny: [], public: true });
    const egress = openEgress(policy, SETTINGS, {
      lookup: lookupOf(['127.0.0.1']),
      tls: { ca: certificate.cert },
    });
    await egress.call(callOf(`https://api.example:${port}/`), NEVER_ABORTED);
    assert.deepEqual(names, ['api.example', `api.example:${port}`]);
    for (const host of ['other.example', '127.0.0.1']) {
      await assert.rejects(
        egress.call(callOf(`https://${host}:${port}/`), NEVER_ABORTED),
        /certificate of the target is for another host name/,
      );
    }
    server.closeAllConnections();
    server.close();
  });
});
