import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildTestApi, startHttpTestServer, TOKENS } from '../../test/support/http-server.js';
import { rawPeer } from '../../test/support/raw-http.js';
import type { Findings } from '../report.js';
import { CONFORMANCE_CASES, conformanceFaults } from './conformance.js';
import { smugglingVectors } from './gadgets.js';
import { limitFaults } from './limits.js';
import { type RouteOptions, tryRoutes } from './routes.js';
import { smuggle } from './smuggling.js';

const LINES = `Host: a\r\nAuthorization: Bearer ${TOKENS.admin}\r\nContent-Type: application/json\r\n`;
/** Request that a smuggling attempt hides. */
const HIDDEN = `PUT /demo/things/a/start HTTP/1.1\r\n${LINES}Content-Length: 0\r\n\r\n`;

/** H1: 1,336 messages that hide a second request in their body. */
export const SMUGGLING = smugglingVectors({
  target: '/demo/things',
  hidden: HIDDEN,
  lines: LINES,
});

/** A server under test. */
interface Front {
  readonly port: number;
  /** How often a hidden request was done. */
  done(): number;
  close(): Promise<void>;
}

/** Opens our server with its API. */
export async function openFront(): Promise<Front> {
  let done = 0;
  const house = await startHttpTestServer({
    actions: { startThing: () => ({ body: (done += 1) }) },
    limits: { connections: 1_000, connectionsPerAddress: 1_000 },
  });
  return { port: house.port, done: () => done, close: house.close };
}

/** Opens the same API on a plain server of Node.js with lenient parsing. */
export async function openLenientFront(): Promise<Front> {
  let done = 0;
  const handler: RequestListener = buildTestApi({
    actions: { startThing: () => ({ body: (done += 1) }) },
  }).handler;
  const server = createServer({ insecureHTTPParser: true }, handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    done: () => done,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface HttpOptions {
  readonly front: Front;
  /** Tests only every `step`-th message; all by default. */
  readonly step?: number;
  /** True requests the end of the connection after each message. */
  readonly leaving?: boolean;
  readonly routes?: RouteOptions;
}

/**
 * H1, H2, H4, H8: measures how the front handles ambiguous requests, malformed requests, and its own limits.
 */
export async function measureHttp({
  front,
  step = 1,
  leaving = false,
  routes,
}: HttpOptions): Promise<Findings> {
  const messages = SMUGGLING.filter((_, at) => at % step === 0);
  const smuggled = await smuggle(front.port, messages, { leaving });
  const done = front.done();
  // Without this, requests that could not be done at all would count as never done.
  const isDoable = await canBeDone(front);
  const conformance = await attempt(() => conformanceFaults(front.port, LINES));
  const limits = await limitFaults(front.port, LINES).catch((error: unknown) => ({
    cases: 0,
    faults: [String(error)],
  }));
  const tried = await tryRoutes(routes);
  const faults = smuggled.answered.length + smuggled.silent.length + smuggled.open + done;
  return {
    holds: isDoable && faults + conformance.length + limits.faults.length + tried.done.length === 0,
    figures: {
      vectors: smuggled.vectors,
      refused: smuggled.refused,
      answered: smuggled.answered.slice(0, 5).map(gadgetOf),
      silent: smuggled.silent.slice(0, 5).map(gadgetOf),
      leftOpen: smuggled.open,
      secondRequests: done,
      isDoneByItself: isDoable,
      conformance: {
        cases: CONFORMANCE_CASES,
        asSpecified: CONFORMANCE_CASES - conformance.length,
        faults: conformance,
      },
      limits,
      routing: { ...tried, done: tried.done.length, examples: tried.done.slice(0, 5) },
    },
  };
}

/** Returns true if the hidden request is done when it is sent by itself. */
async function canBeDone(front: Front): Promise<boolean> {
  const before = front.done();
  const peer = await rawPeer(front.port);
  peer.send(HIDDEN);
  await peer.until(/HTTP\/1\.1 200 /).catch(() => undefined);
  peer.destroy();
  return front.done() === before + 1;
}

async function attempt(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  return look().catch((error: unknown) => [String(error)]);
}

/** Returns the lines that are specific to the message. */
function gadgetOf(message: string): string {
  const [head = ''] = message.split('\r\n\r\n', 1);
  return head.slice(head.indexOf(LINES) + LINES.length);
}
