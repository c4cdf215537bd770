import assert from 'node:assert/strict';
import { parseTraceParent } from '../../src/telemetry/trace/tracer.js';
import { callUrl } from '../support/call.js';
import { attributeOf, openOtlpReceiver, type OtlpReceiver } from '../support/otlp-receiver.js';
import {
  startStreamOrchestrator,
  type StreamArrival,
  type StreamOrchestrator,
  valuesOf,
} from '../support/stream-orchestrator.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const HEADERS = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, tracestate: 'a=1' };

const adapterFile = (url: string): string => `plugin: http-rest
baseUrl: ${url}
health: { type: none }
retry: { attempts: 2, methods: [GET], statuses: [503] }
auth: { type: basic, username: ada, password: $VAULT_adapters/ada#password }
`;

describe('a trace', () => {
  let orchestrator: StreamOrchestrator;
  let testServer: TestServer;
  let receiver: OtlpReceiver;
  let token: string;
  let busy = 0;

  before(async () => {
    orchestrator = await startStreamOrchestrator({
      busy: (_req, res) => res.writeHead((busy += 1) === 1 ? 503 : 200).end('{}'),
    });
    receiver = await openOtlpReceiver();
    testServer = await startTestServer({
      adapters: { ada: adapterFile(orchestrator.url) },
      main: {
        more: `tracing:
  otlpEndpoint: ${receiver.url}
  headers: { Authorization: $VAULT_adapters/otlp#token }
  sampleRatio: 0
`,
      },
      egressAllow: `"127.0.0.1:${orchestrator.port}", `,
      secrets: {
        'adapters/ada': { password: 's3cret-of-ada' },
        'adapters/otlp': { token: 'token-of-the-receiver' },
      },
    });
    token = testServer.issueToken('admin');
  });
  after(async () => {
    await testServer.close();
    await orchestrator.close();
    receiver.close();
  });

  const arrivalsAt = (name: string): readonly StreamArrival[] =>
    orchestrator.arrivals.filter(({ target }) => target.startsWith(`/${name}`));
  /**
   * Returns the parsed traceparent of each request to a path; asserts that each request has exactly one.
   */
  const traceParentsOf = (name: string) =>
    arrivalsAt(name).map((arrival) => {
      const [value, ...more] = valuesOf(arrival.rawHeaders, 'traceparent');
      assert.deepEqual(more, [], name);
      const place = parseTraceParent(value);
      assert.ok(place, `${name}: ${String(value)}`);
      return place;
    });
  const query = (path: string, headers: Record<string, string> = {}) =>
    testServer.query('ada', { path, headers });

  it('continues to the orchestrator, with a span for each attempt', async () => {
    assert.equal((await query('/busy', HEADERS)).status, 200);
    const places = traceParentsOf('busy');
    assert.equal(places.length, 2);
    for (const { traceId, isSampled } of places) assert.deepEqual([traceId, isSampled], [TRACE, true]);
    assert.equal(new Set([...places.map(({ parentId }) => parentId), '00f067aa0ba902b7']).size, 3);
    assert.deepEqual(valuesOf(arrivalsAt('busy')[0]!.rawHeaders, 'tracestate'), ['a=1']);
  });

  it('continues in passed-through requests, with one traceparent header', async () => {
    const reply = await callUrl(`${testServer.url}/proxy/ada/passed`, {
      method: 'PUT',
      token,
      text: 'x',
      headers: { ...HEADERS, 'Trace-Parent': 'kept' },
    });
    assert.equal(reply.status, 200);
    assert.equal(traceParentsOf('passed')[0]?.traceId, TRACE);
    assert.deepEqual(valuesOf(arrivalsAt('passed')[0]!.rawHeaders, 'tracestate'), ['a=1']);
  });

  it('continues in restCall, even if the body of the call sets trace headers', async () => {
    const body = (headers: Record<string, string>) => ({
      uri: `${orchestrator.url}/called`,
      verb: 'GET',
      headers,
      responseHeaders: false,
    });
    for (const headers of [{}, { TraceParent: 'of-the-body', TRACESTATE: 'b=2' }])
      await callUrl(`${testServer.url}/tools/restCall`, { token, headers: HEADERS, body: body(headers) });
    assert.deepEqual(
      traceParentsOf('called').map(({ traceId }) => traceId),
      [TRACE, TRACE],
    );
    for (const arrival of arrivalsAt('called'))
      assert.deepEqual(valuesOf(arrival.rawHeaders, 'tracestate'), ['a=1']);
  });

  it('is exported as spans: the call, and each of its upstream requests', async () => {
    await testServer.running.close();
    const ours = receiver.spans.filter(({ traceId }) => traceId === TRACE);
    const call = ours.filter(({ name }) => name === 'POST /orchestrator_manager/restQuery/:adapterId').at(-1);
    const tries = ours.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
    assert.equal(call?.parentSpanId, '00f067aa0ba902b7');
    assert.equal(attributeOf(call, 'gatehouse.adapter'), 'ada');
    assert.deepEqual(
      tries.map((span) => [attributeOf(span, 'url.full'), attributeOf(span, 'http.response.status_code')]),
      [
        [`${orchestrator.url}/busy`, '503'],
        [`${orchestrator.url}/busy`, '200'],
      ],
    );
    const sent = traceParentsOf('busy').map(({ parentId }) => parentId);
    for (const { spanId } of tries) assert.ok(sent.includes(spanId));
    assert.ok(receiver.requests.every(({ headers }) => headers.authorization === 'token-of-the-receiver'));
    assert.ok(!receiver.requests.some(({ text }) => text.includes('s3cret-of-ada')));
  });
});
