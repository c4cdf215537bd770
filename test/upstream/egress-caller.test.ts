import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { EgressCaller, OutboundCall } from '../../src/core/egress.js';
import { Problem } from '../../src/core/problem.js';
import { systemClock } from '../../src/lib/clock.js';
import { createDnsLookup, type Lookup } from '../../src/upstream/dns-lookup.js';
import { createEgressState, openEgress } from '../../src/upstream/egress-caller.js';
import { parseEgress } from '../../src/upstream/egress-policy.js';
import { createOwnAddressCheck } from '../../src/upstream/own-addresses.js';
import { makeCertificate } from '../support/certificates.js';
import { problem } from '../support/failing.js';
import {
  answer,
  correct,
  type HostileUpstream,
  type Script,
  startHostileUpstream,
} from '../support/hostile-upstream.js';
import { loopbackSpellings } from '../support/loopback-spellings.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedByTest } from '../support/opened.js';
import { until } from '../support/until.js';
import { neverAborted } from './upstreams.js';

const SETTINGS = {
  maxReplyBytes: 10_000,
  timeoutMs: 5_000,
  concurrent: 100,
  concurrentPerSubject: 100,
  memoryBytes: 10_000_000,
};

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

/** Calls a URI. */
const ask = (
  egress: EgressCaller,
  uri: string,
  { signal = neverAborted(), ...more }: Partial<OutboundCall> & { readonly signal?: AbortSignal } = {},
) => egress.call(callOf(uri, more), signal);

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
  const opened = openedByTest();
  const start = (script: Script, host?: string) => opened(startHostileUpstream([script], host));
  beforeEach(async () => {
    canary = await start(correct);
  });

  it('never connects to loopback by default, with any of more than 120 spellings', async () => {
    const toLoopback = lookupOf(['127.0.0.1']);
    const egress = egressTo([], toLoopback);
    const variants = loopbackSpellings(canary.port);
    assert.ok(variants.length >= 120, String(variants.length));
    const isRefused = (error: unknown) =>
      error instanceof Problem && ['invalid_uri', 'egress_denied'].includes(error.code);
    for (const uri of variants) await assert.rejects(ask(egress, uri), isRefused, JSON.stringify(uri));
    assert.equal(canary.connections(), 0);
    // Control: the same call reaches the canary if the policy allows it.
    const reply = await ask(egressTo(['127.0.0.1']), `${canary.origin}/sing`);
    assert.equal(reply.body.toString(), '/sing');
    assert.equal(canary.connections(), 1);
  });

  it('refuses a name that no entry allows without asking a name server', async () => {
    const closed = { allow: ['api.example:8443', '10.0.0.0/8:443'], deny: [], public: false };
    const lookup = lookupOf(['10.1.2.3']);
    const egress = openEgress(parseEgress(closed).policy, SETTINGS, { lookup });
    for (const uri of ['https://other.example:8443/', 'http://api.example/', 'http://h.example/'])
      await assert.rejects(ask(egress, uri), problem('egress_denied', /egress\.allow does not have it/), uri);
    const { policy } = parseEgress({ allow: [], deny: ['h.example'], public: true });
    const denied = ask(openEgress(policy, SETTINGS, { lookup }), 'https://h.example/');
    await assert.rejects(denied, problem('egress_denied', /it is denied by the operator/));
    const ported = ask(egressTo([], lookup), 'http://h.example:6379/');
    await assert.rejects(ported, problem('egress_denied', /its port 6379 is not an HTTP port/));
    assert.equal(lookup.count, 0);
  });

  it('names the host and the address class in a refusal, but no address', async () => {
    const egress = egressTo([], lookupOf(['10.1.2.3']));
    await assert.rejects(ask(egress, 'http://inside.example/?token=hunter2'), {
      message: 'calls to "inside.example" are not allowed: its address is private',
    });
  });

  it('resolves a name once and connects to the checked address, even if the name changes afterwards', async () => {
    const other = await start(correct, '127.0.0.2');
    for (let round = 0; round < 20; round += 1) {
      const lookup = lookupOf(['127.0.0.2'], ['127.0.0.1']);
      const egress = egressTo(['127.0.0.2'], lookup);
      await ask(egress, `http://rebind.example:${other.port}/`);
      assert.equal(lookup.count, 1);
    }
    assert.equal(other.connections(), 20);
    assert.equal(canary.connections(), 0);
  });

  it('refuses a name if any of its addresses is denied', async () => {
    const bad = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', 'fe80::1%lo', 'nonsense'];
    const many = Array.from({ length: 64 }, (_, at) => `127.0.1.${at}`);
    for (const address of bad) {
      for (const addresses of [[address], [address, '127.0.1.1'], [...many, address]]) {
        const egress = egressTo(['127.0.1.0/24'], lookupOf(addresses));
        await assert.rejects(ask(egress, `http://mixed.example:${canary.port}/`), problem('egress_denied'));
      }
    }
    assert.equal(canary.connections(), 0);
  });

  it('connects to the next checked address when the first refuses the connection', async () => {
    const egress = egressTo(['127.0.0.0/8'], lookupOf(['127.0.0.3', '127.0.0.1']));
    assert.equal((await ask(egress, `http://two.example:${canary.port}/`)).status, 200);
  });

  it('reports a name without an address and an unknown name', async () => {
    const none = egressTo([], lookupOf([]));
    await assert.rejects(ask(none, 'http://h.example/'), problem('upstream_unreachable'));
    const unknown = egressTo([], () =>
      Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })),
    );
    await assert.rejects(ask(unknown, 'http://h.example/'), /host name is not known/);
  });

  it('sends each request on its own connection, with the credentials as Basic', async () => {
    const egress = egressTo(['api.example'], lookupOf(['127.0.0.1']));
    const call = callOf(`http://api.example:${canary.port}/a?b=%20`, {
      method: 'POST',
      headers: { 'X-Trace': 'é' },
      credentials: { user: 'ünï', password: 'p:w' },
      body: Buffer.from('{}'),
    });
    await egress.call(call, neverAborted());
    await egress.call(call, neverAborted());
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
    const { origin } = await start(answer(Buffer.concat([Buffer.from(head), coded])));
    const egress = egressTo(['127.0.0.1']);
    for (const headers of [{}, { 'Accept-Encoding': 'br, gzip;q=0' }])
      await assert.rejects(ask(egress, origin, { headers }), /content coding that was not requested/);
    for (const coding of ['gzip', 'br, GZIP;q=0.5', '*']) {
      const { body } = await ask(egress, origin, { headers: { 'Accept-Encoding': coding } });
      assert.equal(body.toString(), 'a text');
    }
  });

  it('finding F2: counts a call until its reply is released, or until it has failed', async () => {
    const egress = egressTo(['127.0.0.1'], createDnsLookup(), { ...SETTINGS, concurrentPerSubject: 1 });
    await assert.rejects(ask(egress, 'http://['), problem('invalid_uri'));
    const { release } = await ask(egress, canary.origin);
    await assert.rejects(ask(egress, canary.origin), problem('too_many_requests'));
    await ask(egress, canary.origin, { subject: 'bob' });
    release();
    await ask(egress, canary.origin);
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
      assert.rejects(ask(egress, `http://a${at}.hang.test/`, caller), problem('caller_gone')),
    );
    await until(() => begun.length === 2);
    caller.abort();
    await Promise.all(calls);
    assert.deepEqual([begun, cancelled], [['a0.hang.test', 'a1.hang.test'], 2]);
  });

  it('finding F15: never connects to the listener or to another service of this server', async () => {
    const lookup = lookupOf(['127.0.0.1']);
    const allow = ['127.0.0.0/8', `127.0.0.1:${canary.port}`];
    const { policy } = parseEgress({ allow, deny: [], public: true });
    const service = { name: 'Vault', host: 'vault.example', port: canary.port };
    const ownAddressCheck = createOwnAddressCheck(systemClock, () => Promise.resolve(['127.0.0.1']));
    const state = { ...createEgressState(systemClock), ownAddressCheck };
    const withVault = openEgress(policy, SETTINGS, { lookup, state, ownAddresses: [service] });
    const listening = openEgress(policy, SETTINGS, { lookup });
    listening.denyListener(`https://0.0.0.0:${canary.port}`);
    for (const host of ['127.0.0.1', 'name.example', '127.0.0.2']) {
      const uri = `http://${host}:${canary.port}/`;
      await assert.rejects(ask(withVault, uri), /its address and port are those of Vault/);
      await assert.rejects(ask(listening, uri), /its address and port are those of this server/);
    }
    assert.equal(canary.connections(), 0);
  });

  it('enforces its deadline and its size limit', async () => {
    const { origin } = await start(() => undefined);
    const settings = { ...SETTINGS, timeoutMs: 50 };
    const hasty = egressTo(['127.0.0.1'], createDnsLookup(), settings);
    for (const uri of [origin, origin.replace('http', 'https')])
      await assert.rejects(ask(hasty, uri), problem('upstream_timeout'));
    const never = egressTo([], () => new Promise(() => undefined), settings);
    await assert.rejects(ask(never, 'http://h.example/'), problem('upstream_timeout'));
    const large = await start(answer(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(10_001)}`));
    await assert.rejects(ask(egressTo(['127.0.0.1']), large.origin), problem('upstream_too_large'));
  });

  it('closes its connection at the end of the call', async () => {
    const ends: Promise<unknown>[] = [];
    const server = createServer((socket) => {
      ends.push(once(socket, 'close'));
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'));
    });
    const { host } = await opened(listenOnLoopback(server));
    await ask(egressTo(['127.0.0.1']), `http://${host}/`);
    await Promise.all(ends);
    assert.equal(ends.length, 1);
  });

  it('verifies the certificate against the host of the URI, not against the address', async () => {
    const certificate = await makeCertificate({ dns: 'api.example' });
    const names: unknown[] = [];
    const server = createTlsServer(certificate, (request, response) => {
      names.push((request.socket as { servername?: unknown }).servername, request.headers.host);
      response.end('hi');
    });
    const { port } = await opened(listenOnLoopback(server));
    const { policy } = parseEgress({ allow: ['127.0.0.1'], deny: [], public: true });
    const [lookup, tls] = [lookupOf(['127.0.0.1']), { ca: certificate.cert }];
    const egress = openEgress(policy, SETTINGS, { lookup, tls });
    await ask(egress, `https://api.example:${port}/`);
    assert.deepEqual(names, ['api.example', `api.example:${port}`]);
    for (const host of ['other.example', '127.0.0.1']) {
      const uri = `https://${host}:${port}/`;
      await assert.rejects(ask(egress, uri), /certificate of the target is for another host name/);
    }
  });
});
