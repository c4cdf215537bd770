import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request as requestOut } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { rawPeer } from '../support/raw-http.js';
import {
  handshake,
  startStreamOrchestrator,
  type StreamOrchestrator,
  valuesOf,
} from '../support/stream-orchestrator.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PIECE = Buffer.alloc(64 * 1024, 'x');
const PIECES = 800;

const adapterFile = (url: string, more = ''): string => `plugin: http-rest
baseUrl: ${url}/base
auth: { type: basic, username: ada, password: $VAULT_adapters/ada#password }
health: { type: none }
${more}`;

describe('the pass-through, from a caller to an orchestrator and back', () => {
  let orchestrator: StreamOrchestrator;
  let testServer: TestServer;
  let folder: string;
  let token: string;
  /** Ends the events of each reply to `/base/events`. */
  const events: ((text?: string) => void)[] = [];

  before(async () => {
    orchestrator = await startStreamOrchestrator({
      events: (_req, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        events.push((event) => (event === undefined ? res.end() : res.write(event)));
      },
    });
    folder = temporaryFolder().path;
    testServer = await startTestServer({
      folder,
      adapters: {
        stream: adapterFile(orchestrator.url),
        fixed: adapterFile(
          orchestrator.url,
          'options: { headers: { X-Tenant: blue, X-Api-Key: $VAULT_adapters/ada#password } }\n',
        ),
      },
      secrets: { 'adapters/ada': { password: 's3cret-of-ada' } },
    });
    token = testServer.issueToken('admin');
  });
  after(async () => {
    await testServer.close();
    await orchestrator.close();
  });

  const send = (method: string, path: string, headers: Record<string, string> = {}): ClientRequest =>
    requestOut({
      host: '127.0.0.1',
      port: port(),
      method,
      path,
      agent: false,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const replyTo = async (request: ClientRequest): Promise<IncomingMessage> => {
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    return reply;
  };
  const openEvents = async () => {
    const request = send('GET', '/proxy/stream/events', { accept: 'text/event-stream' });
    request.end();
    const reply = await replyTo(request);
    return { reply, say: events.at(-1)! };
  };
  const port = (): number => Number(new URL(testServer.url).port);

  it('echoes 50 MB in both directions at once, with little memory', async () => {
    const request = send('POST', '/proxy/stream/echo');
    request.on('error', () => undefined);
    const base = process.memoryUsage().arrayBuffers;
    let sent = 0;
    let most = 0;
    const pump = async (): Promise<void> => {
      for (; sent < PIECES; sent += 1) if (!request.write(PIECE)) await once(request, 'drain');
      request.end();
    };
    const pumping = pump();
    const reply = await replyTo(request);
    let bytes = 0;
    for await (const chunk of reply) {
      bytes += (chunk as Buffer).length;
      most = Math.max(most, sent * PIECE.length - bytes);
    }
    await pumping;
    assert.equal(bytes, PIECES * PIECE.length);
    assert.ok(most < 24 * 1024 * 1024, `${most} bytes were on their way at a time`);
    assert.ok(process.memoryUsage().arrayBuffers - base < 64 * 1024 * 1024);
  });

  it('passes on every byte of a request, with the credentials of the adapter and without those of the caller', async () => {
    const request = send('PATCH', "/proxy/stream/a%2Fb;v=1//c?q='x'&u=http://y//z", {
      cookie: 'mine=1',
      'x-thing': 'yes',
      'content-type': 'text/plain',
    });
    request.end('hello');
    const reply = await replyTo(request);
    assert.equal(await text(reply), 'hello');
    assert.equal(reply.statusCode, 200);
    const arrival = orchestrator.arrivals.at(-1)!;
    assert.equal(arrival.target, '/base/a%2Fb;v=1//c?q=%27x%27&u=http://y//z');
    assert.deepEqual(valuesOf(arrival.rawHeaders, 'authorization'), [
      `Basic ${Buffer.from('ada:s3cret-of-ada').toString('base64')}`,
    ]);
    assert.deepEqual(valuesOf(arrival.rawHeaders, 'host'), [new URL(orchestrator.url).host]);
    assert.deepEqual(valuesOf(arrival.rawHeaders, 'x-thing'), ['yes']);
    assert.deepEqual(valuesOf(arrival.rawHeaders, 'cookie'), []);
    assert.ok(!arrival.rawHeaders.join('\n').includes(token));
  });

  it('refuses an upgrade without a token', async () => {
    const peer = await rawPeer(port());
    peer.send(handshake('/proxy/stream/ws', ''));
    assert.match(await peer.closed(), /^HTTP\/1\.1 401 /);
  });

  it('keeps streams open during reloads that do not affect their adapter', async () => {
    const { reply, say } = await openEvents();
    writeFileSync(join(folder, 'adapters', 'other.yaml'), adapterFile('http://127.0.0.1:2'));
    assert.deepEqual(await testServer.running.reload(), []);
    say('data: still here\n\n');
    assert.match(String((await once(reply, 'data'))[0]), /still here/);
    say();
  });

  it('lets a stream finish when its adapter is replaced, while new streams use the new adapter', async () => {
    const other = await startStreamOrchestrator();
    const { reply, say } = await openEvents();
    writeFileSync(join(folder, 'adapters', 'stream.yaml'), adapterFile(other.url));
    assert.deepEqual(await testServer.running.reload(), []);
    const second = send('POST', '/proxy/stream/new');
    second.end('new');
    assert.equal(await text(await replyTo(second)), 'new');
    assert.equal(other.arrivals.length, 1);
    say('data: the old one\n\n');
    assert.match(String((await once(reply, 'data'))[0]), /the old one/);
    say();
    await once(reply, 'end');
    await other.close();
  });
});
