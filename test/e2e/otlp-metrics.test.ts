import assert from 'node:assert/strict';
import { attributeOf, openOtlpReceiver, type OtlpReceiver } from '../support/otlp-receiver.js';
import { type Scrape, scrape } from '../support/scrape.js';
import { startTestServer } from '../support/test-server.js';

describe('metrics over OTLP', () => {
  let receiver: OtlpReceiver;
  let scraped: Scrape;

  before(async () => {
    receiver = await openOtlpReceiver();
    const testServer = await startTestServer({
      main: {
        more: `tracing: { serviceName: edge }
metrics:
  otlpEndpoint: ${receiver.url}
  headers: { Authorization: $VAULT_adapters/otlp#token }
  intervalSeconds: 3600
`,
      },
      secrets: { 'adapters/otlp': { token: 'token-of-the-receiver' } },
    });
    await testServer.query();
    scraped = await scrape(testServer);
    // The server exports its metrics once more when it closes.
    await testServer.close();
  });
  after(() => {
    receiver.close();
  });

  it('go to /v1/metrics with the headers of the settings, after the last call', () => {
    assert.deepEqual(
      receiver.requests.map(({ path, headers }) => [path, headers.authorization]),
      [['/v1/metrics', 'token-of-the-receiver']],
    );
  });

  it('are those of GET /metrics, with the same names and types', () => {
    const exported = new Map(receiver.metrics.map((metric) => [metric.name, metric]));
    // Requests and handles of Node.js that were active at the scrape may have ended before the export. The starter of the
    // workers counts them, and exports nothing.
    const withSamples = [...scraped.families].filter(
      ([name, { labels }]) => labels.size > 0 && !/^(?:nodejs_active_|gatehouse_workers?_)/.test(name),
    );
    assert.ok(withSamples.length > 20, String(withSamples.length));
    for (const [name, { type, help }] of withSamples) {
      const metric = exported.get(name);
      assert.ok(metric, name);
      assert.equal(metric.description, help);
      assert.equal(type, metric.sum ? 'counter' : metric.gauge ? 'gauge' : 'histogram', name);
    }
  });

  it('count the call', () => {
    const requests = receiver.metrics.find(({ name }) => name === 'gatehouse_requests_total');
    const queries = requests?.sum?.dataPoints.filter(
      (point) => attributeOf(point, 'operation') === 'orchestrator-manager.restQuery',
    );
    assert.deepEqual(
      queries?.map((point) => [attributeOf(point, 'adapter'), attributeOf(point, 'status'), point.asDouble]),
      [['core1', '200', 1]],
    );
  });

  it('name the service and the process', () => {
    const [resource] = receiver.resources;
    assert.ok(resource);
    assert.equal(attributeOf(resource, 'service.name'), 'edge');
    assert.match(attributeOf(resource, 'service.instance.id') ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(attributeOf(resource, 'process.pid'), String(process.pid));
  });
});
