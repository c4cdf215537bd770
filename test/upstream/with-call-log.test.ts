import assert from 'node:assert/strict';
import type { OutboundRequest } from '../../src/core/adapter.js';
import { LOG_LEVELS, type LogLevel } from '../../src/core/log.js';
import type { CallSpan } from '../../src/core/trace.js';
import { createTracer } from '../../src/telemetry/trace/tracer.js';
import { openUpstream } from '../../src/upstream/open-upstream.js';
import { adapterSettings, type WrittenAdapter } from '../support/adapter-settings.js';
import { freePort } from '../support/free-port.js';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { memoryLog } from '../support/memory-log.js';

const SECRET = 's3cret-of-ada';
const CALL: OutboundRequest = {
  method: 'POST',
  path: '/data?token=in-the-query&depth=1',
  headers: { accept: 'application/json', 'x-note': 'private-value' },
  body: Buffer.from(JSON.stringify({ mtu: 9000, password: SECRET })),
};
interface Sent {
  readonly call?: OutboundRequest;
  readonly span?: CallSpan;
}

const READ: OutboundRequest = { method: 'GET', path: '/data', headers: {} };

describe('the log of the calls of an adapter', () => {
  let orchestrator: GuardedOrchestrator;
  beforeEach(async () => {
    orchestrator = await startGuardedOrchestrator({ demand: 'none' });
  });
  afterEach(() => orchestrator.close());

  /** Sends a call while lines of this level are written; returns the lines. */
  async function linesAt(level: LogLevel, written: WrittenAdapter = {}, sent: Sent = {}) {
    const { call = CALL, span } = sent;
    const { log, lines } = memoryLog();
    const limit = LOG_LEVELS.indexOf(level);
    const upstream = openUpstream(
      adapterSettings({ baseUrl: orchestrator.url, ...written }),
      {},
      { log: { ...log, isWritten: (one) => LOG_LEVELS.indexOf(one) <= limit }, random: () => 0 },
    );
    try {
      await upstream.send(call, new AbortController().signal, { span }).catch(() => undefined);
    } finally {
      await upstream.close();
    }
    return lines.map((line) => ({ ...line, text: JSON.stringify(line) }));
  }

  it('has no line at info', async () => {
    assert.deepEqual(await linesAt('info'), []);
  });

  it('has method, path, status, duration and attempts at debug, and no query', async () => {
    const [line, ...others] = await linesAt('debug');
    assert.deepEqual(others, []);
    const { ms, ...fields } = line?.fields ?? {};
    assert.equal(typeof ms, 'number');
    assert.deepEqual(fields, { method: 'POST', path: '/data', status: 200, attempts: 1 });
    assert.ok(!line?.text.includes('in-the-query'));
  });

  it('has the id of the request that made the call, so that the trail of the request finds its lines', async () => {
    const span = createTracer().receive({}, 'request-1');
    const lines = await linesAt(
      'trace',
      { baseUrl: `http://127.0.0.1:${await freePort()}` },
      { call: READ, span },
    );
    assert.deepEqual(
      lines.map(({ message, fields }) => [message, fields['requestId']]),
      [
        ['call is retried', 'request-1'],
        ['call', 'request-1'],
        ['call headers', 'request-1'],
      ],
    );
  });

  it('has names and sizes of headers at trace, and no values', async () => {
    const lines = await linesAt('trace');
    assert.deepEqual(
      lines.map(({ message }) => message),
      ['call', 'call headers'],
    );
    assert.match(lines[1]?.text ?? '', /x-note: 13/);
    for (const { text } of lines) assert.ok(!text.includes('private-value') && !text.includes(SECRET));
  });

  it('has the bodies at spam, without secrets', async () => {
    const lines = await linesAt('spam');
    const text = lines.at(-1)?.text ?? '';
    assert.equal(lines.at(-1)?.message, 'call bodies');
    assert.match(text, /mtu.*9000/);
    assert.ok(!text.includes(SECRET));
  });

  it('does not write a large body, in which secrets are not searched', async () => {
    const body = Buffer.from(JSON.stringify({ text: 'a'.repeat(40_000), password: SECRET }));
    const lines = await linesAt('spam', {}, { call: { ...CALL, body } });
    assert.match(lines.at(-1)?.text ?? '', /\[not written: 400\d\d bytes\]/);
  });

  it('tells why a call is retried, and when the circuit breaker opens', async () => {
    const lines = await linesAt(
      'debug',
      {
        baseUrl: `http://127.0.0.1:${await freePort()}`,
        retry: { attempts: 3 },
        breaker: { failures: 2, openMs: 60_000 },
      },
      { call: { ...CALL, method: 'GET' } },
    );
    const told = lines.map(({ message, fields }) => [message, fields['after']].join(' ').trim());
    assert.equal(told[0], 'call is retried upstream_unreachable');
    assert.ok(told.includes('circuit breaker open'), told.join('; '));
    assert.equal(lines.at(-1)?.fields['code'], 'upstream_unreachable');
  });
});
