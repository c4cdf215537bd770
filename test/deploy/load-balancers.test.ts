import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Node } from '../support/cluster/node.js';
import { freePort } from '../support/free-port.js';
import { COMMAND, FLAGS } from '../support/gatehouse-command.js';
import { type LoadBalancer, startLoad, startLoadBalancer } from '../support/load-balancer.js';
import { HAPROXY, LINUX, NGINX } from '../support/need-list.js';
import { describeWith, type Need } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import {
  startStreamOrchestrator,
  type StreamOrchestrator,
  textFrame,
  valuesOf,
} from '../support/stream-orchestrator.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { until } from '../support/until.js';
import {
  type CertificateFiles,
  type Machine,
  writeCertificate,
  writeHaproxy,
  writeNginx,
} from './balancer-files.js';

interface Setup {
  readonly title: string;
  readonly program: string;
  readonly need: Need;
  /** Members of the block `server` of the nodes. */
  readonly server: (files: CertificateFiles) => string;
  /** Writes the configuration and returns the arguments of the program. */
  readonly prepare: (machine: Machine) => readonly string[];
  /** True if the load balancer ends TLS, so that it reads requests. */
  readonly readsRequests: boolean;
  /** Number of concurrent callers. */
  readonly callers: number;
  /** Calls that may fail during the restarts of both nodes. */
  readonly maxFailed: number;
}

/** Time of the shipped checks to see that a node stops, in seconds: their interval times their failures, and a margin. */
const LAME_DUCK_SECONDS = 3;
const COMMON = `lameDuckSeconds: ${LAME_DUCK_SECONDS}, trustedProxies: [127.0.0.1]`;

const SETUPS: readonly Setup[] = [
  {
    title: 'nginx with deploy/nginx/gatehouse.conf',
    program: 'nginx',
    need: NGINX,
    server: () => COMMON,
    prepare: (machine) => writeNginx(machine),
    readsRequests: true,
    // nginx has no health checks: it sends calls to a node until the node refuses connections. The system resets a connection
    // that arrives in the microseconds before, so the guide does not promise that no call is lost.
    callers: 2,
    maxFailed: 1,
  },
  {
    title: 'HAProxy with deploy/haproxy/haproxy.cfg, and workers',
    program: 'haproxy',
    need: HAPROXY,
    server: () => `${COMMON}, workers: 2`,
    prepare: (machine) => writeHaproxy('haproxy/haproxy.cfg', machine),
    readsRequests: true,
    callers: 3,
    maxFailed: 0,
  },
  {
    title: 'HAProxy with deploy/haproxy/haproxy-pass-through.cfg',
    program: 'haproxy',
    need: HAPROXY,
    server: ({ certFile, keyFile }) =>
      `${COMMON}, proxyProtocol: v2, tls: { certFile: ${certFile}, keyFile: ${keyFile} }`,
    prepare: (machine) => writeHaproxy('haproxy/haproxy-pass-through.cfg', machine),
    readsRequests: false,
    callers: 3,
    maxFailed: 0,
  },
];

/** Address of the clients, which no other process of the test has. */
const CLIENT = '127.0.0.77';

for (const setup of SETUPS)
  // The whole of 127.0.0.0/8 is this machine on Linux, not on other systems.
  describeWith([LINUX, setup.need], setup.title, function () {
    this.timeout(120_000);
    const { path: folder } = temporaryFolder();
    const nodes: Node[] = [];
    let orchestrator: StreamOrchestrator;
    let balancer: LoadBalancer;
    let port = 0;
    let token = '';

    const opened = openedBySuite();
    before(async () => {
      const files = await writeCertificate(folder);
      orchestrator = await opened(
        startStreamOrchestrator({
          state: (_req, res) => res.setHeader('content-type', 'application/json').end('{"up":true}'),
          events: (_req, res) => res.setHeader('content-type', 'text/event-stream').write('data: 1\n\n'),
        }),
      );
      const server = setup.server(files);
      await opened({ close: () => Promise.all(nodes.map((node) => node.close())) });
      const surroundings = {
        folder,
        server,
        orchestratorUrl: orchestrator.url,
        program: [...FLAGS, COMMAND],
      };
      for (const name of ['edge1', 'edge2']) nodes.push(await Node.open(name, surroundings));
      const sign = await openTokenSigner(join(folder, 'local-issuer.pem'));
      token = sign({ subject: 'ada', roles: ['admin'] });
      port = await freePort();
      const ports = nodes.map((node) => node.port) as unknown as readonly [number, number];
      const args = setup.prepare({ ...files, folder, port, nodes: ports });
      balancer = await startLoadBalancer(setup.program, args, port);
      await opened({ close: () => balancer.stop() });
    });

    interface AskOptions {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string | number>>;
      readonly body?: string;
    }
    /** Opens a request through the load balancer from the address of the client. */
    const send = (path: string, { headers, body = '', method = 'GET' }: AskOptions = {}): ClientRequest => {
      const sent = httpsRequest({
        ...{ host: '127.0.0.1', port, path, localAddress: CLIENT, rejectUnauthorized: false, agent: false },
        headers: { authorization: `Bearer ${token}`, ...headers },
        method,
      });
      sent.end(body);
      return sent;
    };
    const ask = async (path: string, options?: AskOptions) => {
      const [response] = (await once(send(path, options), 'response')) as [IncomingMessage];
      const { statusCode: status = 0, headers } = response;
      return { status, headers, body: await text(response) };
    };
    /** Lines of both nodes with this message. */
    const linesOf = (message: string) =>
      nodes.flatMap(({ lines }) => lines).filter((line) => line['message'] === message);

    it('says who called: in the log, in the audit trail and to the orchestrator, whatever the client claims', async () => {
      const requestId = 'who-called';
      const headers = {
        'x-request-id': requestId,
        'x-forwarded-for': '6.6.6.6',
        'x-real-ip': '6.6.6.6',
        forwarded: 'for=6.6.6.6',
      };
      const { status } = await ask('/proxy/core1/state', { headers });
      assert.equal(status, 200);
      await until(() => linesOf('request').some((line) => line['requestId'] === requestId));
      const line = linesOf('request').find((entry) => entry['requestId'] === requestId);
      assert.equal(line?.['clientAddress'], CLIENT);
      const { rawHeaders = [] } = orchestrator.arrivals.at(-1) ?? {};
      assert.deepEqual(valuesOf(rawHeaders, 'x-forwarded-for'), [CLIENT]);
      assert.deepEqual(valuesOf(rawHeaders, 'x-forwarded-proto'), ['https']);
      // Each node has an audit trail of its own.
      const trails = [];
      for (let node = 0; node < 4; node += 1) trails.push((await ask(`/audit?requestId=${requestId}`)).body);
      assert.ok(trails.some((trail) => trail.includes(`"clientAddress":"${CLIENT}"`)));
      assert.ok(!trails.join('').includes('6.6.6.6'));
    });

    it('sends health checks that are answered and not logged', async () => {
      for (let count = 0; count < 4; count += 1) assert.equal((await ask('/readyz')).status, 200);
      assert.deepEqual(linesOf('request refused'), []);
      assert.deepEqual(
        linesOf('request').filter((line) => line['path'] === '/readyz'),
        [],
      );
    });

    it('passes events on while they arrive', async () => {
      const sent = send('/proxy/core1/events');
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const [chunk] = (await once(response, 'data')) as [Buffer];
      assert.equal(chunk.toString(), 'data: 1\n\n');
      sent.destroy();
    });

    it('passes WebSockets through', async () => {
      const headers = {
        ...{ connection: 'Upgrade', upgrade: 'websocket' },
        ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
      };
      const sent = send('/proxy/core1/ws', { headers });
      const [response, socket] = (await once(sent, 'upgrade')) as [IncomingMessage, Duplex];
      assert.equal(response.statusCode, 101);
      socket.write(textFrame('hello'));
      const [frame] = (await once(socket, 'data')) as [Buffer];
      assert.deepEqual(frame, textFrame('hello'));
      socket.destroy();
    });

    it('limits bodies as gatehouse does, and not below /proxy', async () => {
      const largest = 1_048_576;
      const post = (path: string, length: number) =>
        ask(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': length },
          body: ' '.repeat(length),
        });
      // Only spaces are not JSON: a status other than 413 comes from the server behind the limit.
      assert.equal((await post('/tools/restCall', largest)).status, 400);
      const refused = await post('/tools/restCall', largest + 1);
      assert.equal(refused.status, 413);
      const isRefusedByNode = refused.headers['content-type']?.includes('problem+json') === true;
      assert.equal(isRefusedByNode, !setup.readsRequests);
      const { status, body } = await post('/proxy/core1/echo', largest + 1);
      assert.deepEqual([status, body.length], [200, largest + 1]);
    });

    it(`loses ${setup.maxFailed === 0 ? 'no call' : 'one call at most'} while both nodes are restarted one after the other under load`, async () => {
      const load = startLoad(`https://127.0.0.1:${port}`, token, setup.callers);
      const assertFewFailed = (): void => {
        const text = `${load.failures.join('\n')}\n${balancer.output().slice(-2000)}`;
        assert.ok(load.failures.length <= setup.maxFailed, text);
      };
      const progress = async (): Promise<void> => {
        const from = load.succeeded();
        await until(() => load.succeeded() >= from + 50 || load.failures.length > setup.maxFailed);
        assertFewFailed();
      };
      try {
        for (const node of nodes) {
          await progress();
          assert.equal(await node.close(), 0);
          await progress();
          await node.start();
          // The load balancer sends new connections again to a node that has been away.
          const known = node.lines.length;
          const isUsed = (): boolean => node.lines.slice(known).some((line) => line['message'] === 'request');
          while (!isUsed()) await ask('/version');
        }
        await progress();
      } finally {
        await load.stop();
      }
      assertFewFailed();
      const stops = linesOf('stopped');
      assert.equal(stops.length, 2);
      for (const { lameDuckMs } of stops) assert.ok(Number(lameDuckMs) >= LAME_DUCK_SECONDS * 1000 - 50);
    });
  });
