import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { callUrl } from '../support/call.js';
import { openEventStream } from '../support/event-stream.js';
import { cheapHash } from '../support/password-hash.js';
import { rawPeer } from '../support/raw-http.js';
import { callsTo } from '../support/server-calls.js';
import {
  handshake,
  startStreamOrchestrator,
  type StreamOrchestrator,
  textFrame,
} from '../support/stream-orchestrator.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

const PASSWORD = 'pw-of-eve-5c1d';
const LOCAL = `users: [{ username: eve, passwordHash: "${cheapHash(PASSWORD)}", roles: [admin] }], accept: [bearer, cookie, basic]`;
const CSRF = { 'x-gatehouse-csrf': '1' };
const RULE = { roles: ['noc'], adapters: ['ws1'], operations: ['proxy.passThrough'] };

describe('the streams of a caller who loses the right to them, with two processes', () => {
  let orchestrator: StreamOrchestrator;
  let testServer: TestServer;
  let mainFile: string;
  /** Sends an event on every stream that is open at the orchestrator. */
  const events = new Set<(event: string) => void>();

  before(async () => {
    orchestrator = await startStreamOrchestrator({
      events: (_req, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        const send = (event: string): void => void res.write(event);
        events.add(send);
        res.on('close', () => events.delete(send));
      },
    });
    testServer = await startTestServer({
      adapters: { ws1: `plugin: http-rest\nbaseUrl: ${orchestrator.url}\nhealth: { type: none }\n` },
      main: { server: 'workers: 2', local: LOCAL },
    });
    mainFile = readFileSync(testServer.configPath, 'utf8');
  });
  after(async () => {
    await testServer.close();
    await orchestrator.close();
  });
  afterEach(async () => {
    if (readFileSync(testServer.configPath, 'utf8') !== mainFile) await configure(mainFile);
  });

  const { ask } = callsTo(() => testServer);
  const configure = async (text: string): Promise<void> => {
    writeFileSync(testServer.configPath, text);
    assert.deepEqual(await testServer.running.reload(), []);
  };
  const signOut = async (token: string): Promise<void> => {
    const { status } = await callUrl(`${testServer.url}/console/session`, {
      method: 'DELETE',
      token,
      headers: CSRF,
    });
    assert.equal(status, 200);
  };

  async function openOne(authorization: string) {
    const request = get(`${testServer.url}/proxy/ws1/events`, { headers: { authorization }, agent: false });
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(reply.statusCode, 200);
    let text = '';
    let end: string | undefined;
    reply
      .on('data', (chunk: Buffer) => (text += String(chunk)))
      .on('error', () => (end ??= 'broken off'))
      .on('end', () => (end ??= 'complete'));
    return { text: () => text, end: () => end };
  }

  /** Opens a stream at each process, which receive connections in turn. */
  async function openStreams(authorization: string) {
    const streams = await Promise.all(Array.from({ length: 2 }, () => openOne(authorization)));
    return {
      async receive(event: string) {
        for (const send of events) send(event);
        await until(() => streams.every(({ text }) => text().endsWith(event)));
      },
      async brokenOff() {
        await until(() => streams.every(({ end }) => end() !== undefined));
        assert.deepEqual(
          streams.map(({ end }) => end()),
          streams.map(() => 'broken off'),
        );
      },
    };
  }

  it('close a WebSocket with 1008 after a sign-out, and forward no later frame', async () => {
    const token = testServer.issueTokenFor('ada-ws', 'admin');
    const peers = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const peer = await rawPeer(Number(new URL(testServer.url).port));
        peer.send(handshake('/proxy/ws1/ws', `Authorization: Bearer ${token}\r\n`));
        await peer.until(/\r\n\r\n/);
        peer.send(textFrame('hello'));
        await peer.until(/\x81\x85\x01\x02\x03\x04.{5}$/s);
        return peer;
      }),
    );
    await signOut(token);
    for (const peer of peers) {
      assert.match(await peer.until(/not valid any more$/), /\x88.\x03\xf0the token is/);
      peer.send(textFrame('late'));
      peer.end();
      await peer.closed();
    }
    await until(() => orchestrator.tunnels.every(({ destroyed }) => destroyed));
  });

  it('break off after a sign-out, and those of others continue', async () => {
    const token = testServer.issueTokenFor('ada-sse', 'admin');
    const own = await openStreams(`Bearer ${token}`);
    const other = await openStreams(`Bearer ${testServer.issueTokenFor('bob', 'admin')}`);
    await signOut(token);
    await own.brokenOff();
    await other.receive('data: still here\n\n');
  });

  it('break off after the deletion of the stored rule that admitted them', async () => {
    await ask('PUT /access/rules/noc-ws1', { properties: RULE });
    const streams = await openStreams(`Bearer ${testServer.issueToken('noc')}`);
    const ofAdmin = await openStreams(`Bearer ${testServer.issueToken('admin')}`);
    await streams.receive('data: 1\n\n');
    await ask('DELETE /access/rules/noc-ws1');
    await streams.brokenOff();
    await ofAdmin.receive('data: 2\n\n');
  });

  it('break off after a reload that takes the role from the operation, or closes the adapter', async () => {
    for (const [role, before, after] of [
      ['lab', 'roles: { proxy.passThrough: [admin, lab] }\n', ''],
      ['admin', '', 'access:\n  - { adapters: [ws1], roles: [lab] }\n'],
    ] as const) {
      await configure(mainFile + before);
      const streams = await openStreams(`Bearer ${testServer.issueToken(role)}`);
      await streams.receive('data: 1\n\n');
      await configure(mainFile + after);
      await streams.brokenOff();
    }
  });

  it('break off after the removal of their account, whether they have a token or a password', async () => {
    const { text: token } = await callUrl(`${testServer.url}/login`, {
      body: { user: { username: 'eve', password: PASSWORD } },
    });
    const basic = Buffer.from(`eve:${PASSWORD}`).toString('base64');
    const streams = [await openStreams(`Bearer ${token}`), await openStreams(`Basic ${basic}`)];
    await configure(mainFile.replace('username: eve', 'username: mallory'));
    for (const stream of streams) await stream.brokenOff();
  });

  it('keep the events of the console open for a caller with a password, and end them with the account', async () => {
    const basic = Buffer.from(`eve:${PASSWORD}`).toString('base64');
    const stream = await openEventStream(`${testServer.url}/console/events`, basic, 'Basic');
    assert.equal(stream.status, 200);
    await configure(`${mainFile}\n`);
    assert.deepEqual(await stream.next('change'), { topics: ['adapters', 'profiles'] });
    await configure(mainFile.replace('username: eve', 'username: mallory'));
    await stream.ended();
  });
});
