import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { callUrl, type CallResult } from '../support/call.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

/** Members of the reply that the tests use. */
interface RequestReply {
  readonly requestId: string;
  readonly isShared: boolean;
  readonly others: readonly Readonly<Record<string, unknown>>[];
  readonly request: Readonly<Record<string, unknown>> | null;
  readonly attempts: readonly Readonly<Record<string, unknown>>[];
  readonly records: readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly { readonly message: string; readonly fields: { readonly requestId?: string } }[];
}

/** An orchestrator that answers the first request of each path with 503 and repeats its credentials. */
function openFailingOrchestrator(): Promise<Listener> {
  const seen = new Set<string>();
  const server = createServer((req, res) => {
    const { url = '' } = req;
    const isFirst = !seen.has(url);
    seen.add(url);
    const isFailing = isFirst || url.startsWith('/broken');
    res.writeHead(isFailing ? 503 : 200, { 'content-type': 'application/json' });
    res.end(isFailing ? `{"error":"maintenance of ${req.headers.authorization ?? ''}"}` : '{"ok":true}');
  });
  return listenOnLoopback(server);
}

const adapterFile = (baseUrls: string): string => `plugin: http-rest
baseUrls: [${baseUrls}]
auth: { type: basic, username: u, password: $VAULT_adapters/core1#password }
retry: { attempts: 2, statuses: [503], budgetPercent: 100 }
`;

describe('one request with its attempts, with two processes', () => {
  let orchestrator: Listener;
  let origin: string;
  let testServer: TestServer;
  before(async () => {
    orchestrator = await openFailingOrchestrator();
    origin = `http://${orchestrator.host}`;
    testServer = await startTestServer({
      main: { server: 'workers: 2' },
      adapters: {
        nso1: adapterFile(`"${origin}"`),
        nso2: adapterFile(`"http://127.0.0.1:1", "${origin}"`),
      },
    });
  });
  after(async () => {
    await testServer.close();
    await orchestrator.close();
  });

  const query = (path: string, requestId: string, adapter = 'nso1'): Promise<CallResult> =>
    testServer.query(adapter, { path, headers: { 'x-request-id': requestId } });
  const get = (path: `/${string}`): Promise<CallResult> => testServer.call(`GET ${path}`);
  const trailOf = async (id: string): Promise<RequestReply> =>
    (await get(`/console/requests/${id}`)).json as RequestReply;

  it('shows a 503 and the successful retry, with audit record and log line, and without the query', async () => {
    assert.equal((await query('/devices/r1?password=of-the-query', 'call-1')).status, 200);
    // The log is written in batches, and workers report their calls in batches.
    await eventually(async () => {
      const { request, lines } = await trailOf('call-1');
      assert.equal(request?.['adapter'], 'nso1');
      assert.deepEqual(
        lines.filter(({ message }) => message === 'request').map(({ fields }) => fields.requestId),
        ['call-1'],
      );
    });
    const { request, attempts, records } = await trailOf('call-1');
    assert.deepEqual(
      attempts.map(({ origin, path, status, code, reason }) => [origin, path, status, code, reason]),
      [
        [origin, '/devices/r1', 503, null, 'first'],
        [origin, '/devices/r1', 200, null, 'retry'],
      ],
    );
    assert.deepEqual(
      [request?.['status'], request?.['caller'], request?.['roles'], request?.['clientAddress']],
      [200, 'ada', ['admin'], '127.0.0.1'],
    );
    assert.match(String(request?.['traceId']), /^[0-9a-f]{32}$/);
    assert.deepEqual(
      records.map(({ operation, status }) => [operation, status]),
      [['orchestrator-manager.restQuery', 200]],
    );
    assert.equal(typeof records[0]?.['seq'], 'number');
    assert.equal(attempts[0]?.['breaker'], 'closed');
    assert.doesNotMatch((await get('/console/requests/call-1')).text, /of-the-query/);
    for (const { secrets } of attempts) assert.deepEqual(secrets, [{ path: 'adapters/core1', version: 1 }]);
  });

  it('shows what the orchestrator answered to a failed call, without the credentials', async () => {
    assert.equal((await query('/broken', 'call-2')).status, 502);
    await eventually(async () => {
      assert.ok((await trailOf('call-2')).request);
    });
    const { status, text } = await get('/console/requests/call-2');
    assert.equal(status, 200);
    const { attempts, request } = JSON.parse(text) as RequestReply;
    assert.match(String(attempts.at(-1)?.['text']), /maintenance of/);
    assert.equal(request?.['outcome'], 'upstream_failed');
    const credentials = Buffer.from(`u:${testServer.password}`).toString('base64');
    assert.ok(!text.includes(credentials) && !text.includes(testServer.password));
  });

  it('shows an unreachable base URL, and the attempt at another one', async () => {
    assert.equal((await query('/devices/r1?password=of-the-query', 'call-3', 'nso2')).status, 200);
    await eventually(async () => {
      assert.ok((await trailOf('call-3')).request);
    });
    const { attempts } = await trailOf('call-3');
    assert.deepEqual(
      attempts.map(({ origin: at, status, code, reason }) => [at, status, code, reason]),
      [
        ['http://127.0.0.1:1', null, 'upstream_unreachable', 'first'],
        [origin, 200, null, 'retry'],
      ],
    );
    assert.match(String(attempts[0]?.['text']), /refuses connections/);
  });

  it('shows the record of its own request, also if another caller sends the same id many times', async () => {
    const eve = testServer.issueTokenFor('eve', 'engineering');
    const sendMany = async (path: string, body: object): Promise<void> => {
      const headers = { 'x-request-id': 'shared-id' };
      for (let count = 0; count < 15; count += 1)
        await callUrl(testServer.url + path, { token: eve, headers, body });
    };
    await sendMany('/json-forms/forms', { name: 'refused' });
    assert.equal((await query('/devices/r2', 'shared-id')).status, 200);
    await sendMany('/tools/restCall', { uri: 'http://127.0.0.1:1/', verb: 'GET' });
    // Call workers report their calls in batches.
    let at: unknown;
    await eventually(async () => {
      const { request, others } = await trailOf('shared-id');
      at = [request, ...others].find((one) => one?.['caller'] === 'ada')?.['at'];
      assert.ok(at !== undefined);
    });
    const { isShared, request, records } = await trailOf(`shared-id?at=${String(at)}`);
    assert.equal(isShared, true);
    assert.equal(request?.['operation'], 'orchestrator-manager.restQuery');
    assert.deepEqual(
      records.map(({ operation, subject }) => [operation, subject]),
      [['orchestrator-manager.restQuery', 'ada']],
    );
    assert.equal((await trailOf('call-1')).isShared, false);
  });

  it('answers a request id that nobody knows with an empty trail', async () => {
    const { request, attempts, records, lines } = await trailOf('unknown');
    assert.deepEqual([request, attempts, records, lines], [null, [], [], []]);
  });
});
