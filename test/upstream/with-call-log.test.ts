import assert from 'node:assert/strict';
import type { OutboundRequest } from '../../src/core/adapter.js';
import { LOG_LEVELS, type LogLevel } from '../../src/core/log.js';
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

describe('the log of the calls of an adapter', () => {
  let orchestrator: GuardedOrchestrator;
  beforeEach(async () => {
    orchestrator = await startGuardedOrchestrator({ demand: 'none' });
  });
  afterEach(() => orchestrator.close());

  /** Sends a call while lines of this level are written; returns the lines. */
  async function linesAt(level: LogLevel, written: WrittenAdapter = {}, call = CALL) {
    const { log, lines } = memoryLog();
    const limit = LOG_LEVELS.indexOf(level);
    const upstream = openUpstream(
      adapterSettings({ baseUrl: orchestrator.url, ...written }),
      {},
      { log: { ...log, isWritten: (one) => LOG_LEVELS.indexOf(one) <= limit }, random: () => 0 },
    );
    try {
      await upstream.send(call, new AbortController().signal).catch(() => undefined);
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
    const body = Buffer.from(JSON.stringify({ text: 'a'.repeat(70_000), password: SECRET }));
    const lines = await linesAt('spam', {}, { ...CALL, body });
    assert.match(lines.at(-1)?.text ?? '', /\[not written: 700\d\d bytes\]/);
  });

  it('tells why a call is retried, and when the circuit breaker opens', async () => {
    const lines = await linesAt(
      'debug',
      {
        baseUrl: `http://127.0.0.1:${await freePort()}`,
        retry: { attempts: 3 },
        breaker: { failures: 2, openMs: 60_000 },
      },
      { ...CALL, method: 'GET' },
    );
    const told = lines.map(({ message, fields }) => [message, fields['after']].join(' ').trim());
    assert.equal(told[0], 'call is retried upstream_unreachable');
    assert.ok(told.includes('circuit breaker open'), told.join('; '));
    assert.equal(lines.at(-1)?.fields['code'], 'upstream_unreachable');
  });
});
