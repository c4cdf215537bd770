import assert from 'node:assert/strict';
import type { OutboundRequest } from '../../src/core/adapter.js';
import { LOG_LEVELS, type LogLevel } from '../../src/core/log.js';
import type { CallSpan } from '../../src/core/trace.js';
import { createTracer } from '../../src/telemetry/trace/tracer.js';
import type { WrittenAdapter } from '../support/adapter-settings.js';
import { column } from '../support/columns.js';
import { freePort } from '../support/free-port.js';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { memoryLog } from '../support/memory-log.js';
import { GET, neverAborted, upstreamsOfTest } from './upstreams.js';

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

describe('the log of the calls of an adapter', () => {
  let orchestrator: GuardedOrchestrator;
  const { opened, open } = upstreamsOfTest();
  beforeEach(async () => {
    orchestrator = await opened(startGuardedOrchestrator());
  });

  /** Sends a call while lines of this level are written; returns the lines. */
  async function linesAt(level: LogLevel, written: WrittenAdapter = {}, sent: Sent = {}) {
    const { call = CALL, span } = sent;
    const { log, lines } = memoryLog();
    const isWritten = (one: LogLevel): boolean => LOG_LEVELS.indexOf(one) <= LOG_LEVELS.indexOf(level);
    const options = { log: { ...log, isWritten }, random: () => 0 };
    const upstream = open({ baseUrl: orchestrator.url, ...written }, options);
    await upstream.send(call, neverAborted(), { span }).catch(() => undefined);
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
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const lines = await linesAt('trace', { baseUrl }, { call: GET, span });
    assert.deepEqual(column(lines, 'message'), ['call is retried', 'call', 'call headers']);
    for (const { fields } of lines) assert.equal(fields['requestId'], 'request-1');
  });

  it('has names and sizes of headers at trace, and no values', async () => {
    const lines = await linesAt('trace');
    assert.deepEqual(column(lines, 'message'), ['call', 'call headers']);
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
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const written = { baseUrl, retry: { attempts: 3 }, breaker: { failures: 2, openMs: 60_000 } };
    const lines = await linesAt('debug', written, { call: GET });
    const told = lines.map(({ message, fields }) => [message, fields['after']].join(' ').trim());
    assert.equal(told[0], 'call is retried upstream_unreachable');
    assert.ok(told.includes('circuit breaker open'), told.join('; '));
    assert.equal(lines.at(-1)?.fields['code'], 'upstream_unreachable');
  });
});
