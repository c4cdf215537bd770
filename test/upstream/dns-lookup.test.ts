import assert from 'node:assert/strict';
import { createDnsLookup } from '../../src/upstream/dns-lookup.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { problem } from '../support/failing.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { until } from '../support/until.js';

const NEVER_ABORTED = new AbortController().signal;

describe('the DNS lookup of callers', () => {
  let server: DnsServer;
  before(async () => {
    server = await startDnsServer({
      'both.test': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
      'four.test': { A: ['192.0.2.4'] },
      'six.test': { AAAA: ['2001:db8::6'] },
      'none.test': {},
      'mute.test': 'silent',
    });
  });
  after(() => server.close());

  const resolve = (name: string, signal = NEVER_ABORTED, scheduler = createFakeScheduler()) =>
    createDnsLookup({ servers: [server.address], scheduler })(name, signal);

  it('returns the addresses of both families, IPv4 first, with one question for each', async () => {
    const before = server.questions.length;
    assert.deepEqual(await resolve('both.test'), ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    assert.deepEqual(server.questions.slice(before).sort(), ['both.test A', 'both.test AAAA']);
    assert.deepEqual(await resolve('four.test'), ['192.0.2.4']);
    assert.deepEqual(await resolve('six.test'), ['2001:db8::6']);
  });

  it('resolves localhost itself (RFC 6761)', async () => {
    for (const name of ['localhost', 'a.localhost'])
      assert.deepEqual(await resolve(name), ['127.0.0.1', '::1']);
    assert.ok(!server.questions.some((question) => question.includes('localhost')));
  });

  it('reports a name that does not exist or has no address', async () => {
    for (const name of ['unknown.test', 'none.test'])
      await assert.rejects(resolve(name), problem('upstream_unreachable', /the host name is not known/));
  });

  it('finding F3: ends after its own time limit if the name server is silent', async () => {
    const scheduler = createFakeScheduler();
    const lookup = resolve('mute.test', NEVER_ABORTED, scheduler);
    const ended = assert.rejects(lookup, problem('upstream_unreachable', /name server does not answer/));
    const before = server.questions.length;
    await scheduler.pass(5_000);
    await ended;
    assert.ok(server.questions.length <= before + 2, 'no question is sent again');
  });

  it('finding F3: is cancelled when the caller leaves', async () => {
    const caller = new AbortController();
    const lookup = resolve('mute.test', caller.signal);
    const ended = assert.rejects(lookup, /the caller left/);
    const before = server.questions.length;
    await until(() => server.questions.length >= before + 2);
    caller.abort(new Error('the caller left'));
    await ended;
    assert.equal(server.questions.length, before + 2, 'no question is sent again');
    await assert.rejects(resolve('four.test', caller.signal), /the caller left/);
  });
});
