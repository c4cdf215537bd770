import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { listenOnLoopback } from './loopback.js';

/** A request as it arrived. */
export interface StreamArrival {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  /** Bytes of the body so far. */
  bytes: number;
  /** True after the whole body has arrived. */
  isWhole: boolean;
  /** True once its connection is closed. */
  isGone: boolean;
}

/** Handles one request in a test. */
type Deal = (req: IncomingMessage, res: ServerResponse, arrival: StreamArrival) => void;

/** An orchestrator on loopback that streams. */
export interface StreamOrchestrator {
  readonly url: string;
  readonly port: number;
  readonly arrivals: readonly StreamArrival[];
  /** Connections that are open, and those that were ever opened. */
  connections(): { readonly open: number; readonly ever: number };
  /** The other ends of WebSockets, in order. */
  readonly tunnels: readonly Duplex[];
  close(): Promise<void>;
}

/**
 * Starts an orchestrator that handles requests by the end of their path: with the handler of the test, or by
 * echoing the body. `onTunnel` receives the server end of each WebSocket.
 */
export async function startStreamOrchestrator(
  deals: Readonly<Record<string, Deal>> = {},
  onTunnel: (socket: Duplex) => void = () => undefined,
): Promise<StreamOrchestrator> {
  const arrivals: StreamArrival[] = [];
  const tunnels: Duplex[] = [];
  let ever = 0;
  const server = createServer((req, res) => {
    const arrival = arrive(req);
    const deal = deals[nameOf(req)];
    if (deal) deal(req, res, arrival);
    else req.pipe(res);
  });
  const arrive = (req: IncomingMessage): StreamArrival => {
    const { method = '', url: target = '', rawHeaders, socket } = req;
    const arrival = { method, target, rawHeaders, bytes: 0, isWhole: false, isGone: false };
    arrivals.push(arrival);
    req.on('end', () => (arrival.isWhole = true));
    socket.once('close', () => (arrival.isGone = true));
    return arrival;
  };
  server.on('upgrade', (req: IncomingMessage, socket: Duplex) => {
    arrive(req);
    socket.on('error', () => undefined);
    tunnels.push(socket);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${acceptLines(req)}set-cookie: s=1\r\n\r\n`);
    if (nameOf(req) === 'ws') socket.pipe(socket);
    onTunnel(socket);
  });
  server.on('connection', (socket) => {
    ever += 1;
    socket.setMaxListeners(0);
    socket.on('error', () => undefined);
  });
  const { port, connections, close } = await listenOnLoopback(server.unref());
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    arrivals,
    tunnels,
    connections: () => ({ open: connections(), ever }),
    close,
  };
}

function nameOf({ url = '' }: IncomingMessage): string {
  return /([^/?]*)(?:\?.*)?$/.exec(url)?.[1] ?? '';
}

/** The answer to a WebSocket handshake (RFC 6455 section 4.2.2). */
function acceptLines({ headers }: IncomingMessage): string {
  const accept = createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  return `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n`;
}

/** The values of a header, in their order. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** The head of a request that asks for a WebSocket. */
export function handshake(path: string, lines = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: gatehouse.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${lines}\r\n`;
}

/** Encodes a text message as a client does (RFC 6455 section 5.2), masked; at most 125 bytes. */
export function textFrame(text: string): Buffer {
  const mask = [1, 2, 3, 4];
  const bytes = [...Buffer.from(text)].map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.from([0x81, 0x80 | bytes.length, ...mask, ...bytes]);
}
