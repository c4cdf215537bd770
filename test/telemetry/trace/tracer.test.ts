import assert from 'node:assert/strict';
import type { AnsweredRequest } from '../../../src/core/metric.js';
import type { ServedRequest, ServerSpan, Tracer } from '../../../src/core/trace.js';
import type { SpanRecord } from '../../../src/telemetry/trace/span-record.js';
import { createRandomIds, createTracer, parseTraceParent } from '../../../src/telemetry/trace/tracer.js';
import { column } from '../../support/columns.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TARGET = { method: 'GET', url: 'https://nso.test:8888/restconf/data?token=geheim' };
const ANSWERED: AnsweredRequest = {
  operation: 'orchestrator-manager.restQuery',
  adapter: 'nso1',
  status: 200,
  seconds: 0.1,
  startedAt: 0,
  requestId: 'r-1',
  method: 'POST',
  path: '/orchestrator_manager/restQuery/nso1',
  about: 'GET /x',
  caller: 'grace',
  code: '',
};

const REQUEST: ServedRequest = {
  scheme: 'https',
  host: 'gateway.example:8443',
  route: '/orchestrator_manager/restQuery/:adapterId',
  clientAddress: '192.0.2.7',
  protocolVersion: '1.1',
  userAgent: 'curl/8.5.0',
};

/** Creates a tracer, and collects its spans. */
function collecting(sampleRatio: number) {
  const spans: SpanRecord[] = [];
  let now = 1000;
  const tracer = createTracer({ clock: { now: () => (now += 1) } });
  tracer.collectWith({ sampleRatio, collect: (span) => spans.push(span) });
  return { tracer, spans };
}

const received = (flags: string) => ({ traceparent: `00-${TRACE}-${PARENT}-${flags}`, tracestate: 'a=1' });

const attemptsOf = ({ attempts = [] }: ServerSpan) => attempts;

describe('createTracer', () => {
  it('reports the time of a corrected clock, and durations without the correction (bug: spans kept the former time)', () => {
    const spans: SpanRecord[] = [];
    const [steady, wall] = [{ time: 1000 }, { time: 1000 }];
    const tracer = createTracer({ clock: { now: () => steady.time }, wall: { now: () => wall.time } });
    tracer.collectWith({ sampleRatio: 1, collect: (span) => spans.push(span) });
    for (const correction of [0, 86_400_000, -3_600_000]) {
      const call = tracer.receive({}, 'r-1');
      wall.time += correction;
      for (const clock of [steady, wall]) clock.time += 250;
      call.end(ANSWERED, REQUEST);
    }
    assert.deepEqual(
      spans.map(({ startedAt, endedAt }) => [startedAt, endedAt]),
      [
        [1000, 1250],
        [86_401_250, 86_401_500],
        [82_801_500, 82_801_750],
      ],
    );
  });

  it('continues a received trace with a new parent for each request, and keeps its sampling', () => {
    for (const flags of ['00', '01']) {
      const call = createTracer().receive(received(flags));
      const [first, second] = [call.request(TARGET), call.request(TARGET)];
      assert.equal(call.traceId, TRACE);
      for (const { headers, end } of [first, second]) {
        assert.match(headers.traceparent, new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-${flags}$`));
        assert.equal(headers.tracestate, 'a=1');
        end?.(200);
      }
      assert.equal(attemptsOf(call).length, 2);
      assert.notEqual(first.headers.traceparent, second.headers.traceparent);
    }
  });

  it('knows whether the span of a call is recorded: sampled, and collected', () => {
    const isRecorded = (tracer: Tracer, flags: string) => tracer.receive(received(flags)).isRecording;
    const [idle, { tracer }] = [createTracer(), collecting(0)];
    const found = [isRecorded(idle, '01'), isRecorded(tracer, '00'), isRecorded(tracer, '01')];
    assert.deepEqual(found, [false, false, true]);
  });

  it('records the attempts of a call without queries, at most twenty', () => {
    const { tracer } = collecting(0);
    const call = tracer.receive({});
    assert.deepEqual(attemptsOf(call), []);
    const secrets = [{ path: 'adapters/nso1', version: 2 }];
    const facts = { breaker: 'half-open', queuedMs: 3, secrets } as const;
    call.request({ method: 'GET', url: 'http://nso1/a?key=1' }, facts).end?.(503, 'busy');
    assert.deepEqual(attemptsOf(call), [
      { method: 'GET', url: 'http://nso1/a', atMs: 1, ms: 1, outcome: 503, text: 'busy', ...facts },
    ]);
    for (let sent = 0; sent < 30; sent += 1) call.request(TARGET).end?.('upstream_timeout');
    assert.equal(attemptsOf(call).length, 20);
  });

  it('starts a trace without a valid traceparent, and drops the received tracestate', () => {
    for (const headers of [{}, { tracestate: 'a=1' }, { traceparent: 'x', tracestate: 'a=1' }]) {
      const call = createTracer().receive(headers);
      const request = call.request(TARGET);
      assert.match(call.traceId, /^[0-9a-f]{32}$/);
      assert.notEqual(call.traceId, TRACE);
      assert.equal(parseTraceParent(request.headers.traceparent)?.traceId, call.traceId);
      assert.equal(parseTraceParent(request.headers.traceparent)?.isSampled, false);
      assert.deepEqual(Object.keys(request.headers), ['traceparent']);
    }
  });

  it('continues a valid trace whose tracestate is invalid, without that tracestate', () => {
    const call = createTracer().receive({ ...received('01'), tracestate: 'A' });
    assert.equal(call.traceId, TRACE);
    assert.deepEqual(Object.keys(call.request(TARGET).headers), ['traceparent']);
  });

  it('starts a separate trace for each request outside of a call', () => {
    const tracer = createTracer();
    const ids = [1, 2].map(() => parseTraceParent(tracer.request(TARGET).headers.traceparent)?.traceId);
    assert.ok(ids.every((id) => id !== undefined));
    assert.notEqual(ids[0], ids[1]);
  });

  it('collects a call and its requests as parent and children', () => {
    const { tracer, spans } = collecting(0);
    const call = tracer.receive(received('01'));
    const requests = ['upstream_unreachable', 204].map((outcome) => {
      const request = call.request(TARGET);
      request.end?.(outcome);
      return parseTraceParent(request.headers.traceparent)?.parentId;
    });
    call.end(ANSWERED, REQUEST);
    const [failed, second, server] = spans as [SpanRecord, SpanRecord, SpanRecord];
    assert.deepEqual([server.kind, server.parentId, server.state], ['server', PARENT, 'a=1']);
    assert.deepEqual([failed.parentId, second.parentId], [server.spanId, server.spanId]);
    assert.deepEqual(requests, [failed.spanId, second.spanId]);
    const hasDuration = ({ startedAt, endedAt }: SpanRecord): boolean => endedAt > startedAt;
    assert.deepEqual(spans.map(hasDuration), [true, true, true]);
    assert.deepEqual(column(spans, 'isFailed'), [true, false, false]);
  });

  it('names attributes by the semantic conventions, without queries and caller names', () => {
    const { tracer, spans } = collecting(1);
    const call = tracer.receive({});
    call.request(TARGET).end?.(404);
    call.end({ ...ANSWERED, status: 502, code: 'upstream_unreachable' }, REQUEST);
    assert.deepEqual(spans[0]?.attributes, {
      'http.request.method': 'GET',
      'server.address': 'nso.test',
      'server.port': 8888,
      'url.full': 'https://nso.test:8888/restconf/data',
      'url.scheme': 'https',
      'http.response.status_code': 404,
      'error.type': '404',
    });
    assert.deepEqual(spans[1]?.attributes, {
      'http.request.method': 'POST',
      'http.response.status_code': 502,
      'http.route': REQUEST.route,
      'url.scheme': 'https',
      'url.path': ANSWERED.path,
      'server.address': 'gateway.example',
      'server.port': 8443,
      'client.address': '192.0.2.7',
      'network.protocol.version': '1.1',
      'user_agent.original': 'curl/8.5.0',
      'gatehouse.request_id': 'r-1',
      'gatehouse.operation': ANSWERED.operation,
      'gatehouse.adapter': 'nso1',
      'gatehouse.problem.code': 'upstream_unreachable',
      'error.type': 'upstream_unreachable',
    });
    assert.deepEqual(column(spans, 'name'), ['GET', `POST ${REQUEST.route}`]);
    assert.doesNotMatch(JSON.stringify(spans), /geheim|grace/);
  });

  it('names no error for a refused call, and no route for a request without an operation', () => {
    const { tracer, spans } = collecting(1);
    const refused = { ...ANSWERED, method: 'BREW', operation: '', status: 404, code: 'not_found' };
    const request = { ...REQUEST, route: undefined, host: 'a b', userAgent: undefined, clientAddress: '' };
    tracer.receive({}).end(refused, request);
    assert.deepEqual([spans[0]?.name, spans[0]?.isFailed], ['HTTP', false]);
    assert.deepEqual(spans[0]?.attributes, {
      'http.request.method': '_OTHER',
      'http.request.method_original': 'BREW',
      'http.response.status_code': 404,
      'url.scheme': 'https',
      'url.path': ANSWERED.path,
      'network.protocol.version': '1.1',
      'gatehouse.request_id': 'r-1',
      'gatehouse.adapter': 'nso1',
      'gatehouse.problem.code': 'not_found',
    });
  });

  it('reports the default port, and no credentials of a URL', () => {
    const { tracer, spans } = collecting(1);
    tracer.request({ method: 'GET', url: 'http://ada:geheim@[2001:db8::1]/x?y=z' }).end?.(200);
    tracer.receive({}).end(ANSWERED, { ...REQUEST, host: '[2001:db8::2]' });
    const addresses = spans.map(({ attributes: at }) => `${at['server.address']}:${at['server.port']}`);
    assert.deepEqual(addresses, ['[2001:db8::1]:80', '[2001:db8::2]:443']);
    assert.equal(spans[0]?.attributes['url.full'], 'http://[2001:db8::1]/x');
  });

  it('samples the configured ratio of new traces, and keeps the decision of received ones', () => {
    const { tracer, spans } = collecting(0.25);
    for (let count = 0; count < 4000; count += 1) tracer.receive({}).end(ANSWERED, REQUEST);
    assert.ok(spans.length > 800 && spans.length < 1200, String(spans.length));
    spans.length = 0;
    tracer.receive(received('00')).end(ANSWERED, REQUEST);
    assert.equal(spans.length, 0);
    assert.equal(collectedOf(0), 0);
    assert.equal(collectedOf(1), 100);
  });

  it('returns trace headers under the span of the call', () => {
    const { tracer, spans } = collecting(1);
    const call = tracer.receive({});
    const traceParent = parseTraceParent(call.headers().traceparent);
    call.end(ANSWERED, REQUEST);
    assert.deepEqual([traceParent?.traceId, traceParent?.parentId], [spans[0]?.traceId, spans[0]?.spanId]);
  });
});

function collectedOf(sampleRatio: number): number {
  const { tracer, spans } = collecting(sampleRatio);
  for (let count = 0; count < 100; count += 1) tracer.receive({}).end(ANSWERED, REQUEST);
  return spans.length;
}

describe('createRandomIds', () => {
  it('returns no identifier twice, also across batches', () => {
    const newId = createRandomIds();
    const ids = Array.from({ length: 5000 }, (_, at) => newId(at % 3 === 0 ? 16 : 8));
    assert.equal(new Set(ids.map((id) => id.slice(0, 16))).size, 5000);
    assert.ok(ids.every((id, at) => id.length === (at % 3 === 0 ? 32 : 16)));
  });
});
