import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { originLine, ORIGIN_HEADER } from './caller-origin.js';
import { markStreaming } from './connections.js';
import { bodyLength, isBodyComplete, canKeepAlive, drainRequest } from './drain-request.js';
import { type HttpExchange, DEFAULT_STALL_LIMITS } from './request-context.js';

/** The way of requests to another process of this server, which answers them. */
export interface ForwardToPrimary {
  /** Passes a request on and its answer back, both as streams and unchanged but for what concerns one connection. */
  readonly serve: (exchange: HttpExchange) => void;
  /** Ends idle connections. */
  readonly close: () => void;
}

/** Opens the way to a private listener at a socket of the file system. */
export function createForwarder(socketPath: string): ForwardToPrimary {
  const agent = new Agent({ keepAlive: true });
  return {
    serve(exchange) {
      const { req, res } = exchange;
      const { method, url: path } = req;
      const onward = request({ socketPath, agent, method, path, headers: onwardLines(req) });
      onward.once('response', (reply) => {
        relayBack(exchange, reply, onward);
      });
      onward.on('error', () => {
        // After an answer it says no more than that nobody wanted the rest of the body.
        if (!res.headersSent) res.destroy();
      });
      res.once('close', () => {
        if (!res.writableFinished) onward.destroy();
      });
      sendBody(exchange, onward);
    },
    close() {
      agent.destroy();
    },
  };
}

/** Waits with the body where the other end is to say first whether it wants it (RFC 9110 section 10.1.1). */
function sendBody({ req, res }: HttpExchange, onward: ClientRequest): void {
  if (bodyLength(req.headers) === 0) {
    onward.end();
  } else if (expects(req)) {
    onward.flushHeaders();
    onward.once('continue', () => {
      res.writeContinue();
      req.pipe(onward);
    });
  } else req.pipe(onward);
}

function expects({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1';
}

function relayBack({ req, res }: HttpExchange, reply: IncomingMessage, onward: ClientRequest): void {
  if (reply.headers.connection === 'close' || !canKeepAlive(req)) res.shouldKeepAlive = false;
  res.writeHead(reply.statusCode ?? 502, reply.statusMessage, without(HOP_BY_HOP, reply.rawHeaders));
  // What has no length goes on for as long as it likes, and its head must not wait for its first byte.
  if (reply.headers['content-length'] === undefined) {
    res.flushHeaders();
    markStreaming(res);
  }
  reply.on('error', () => res.destroy());
  reply.pipe(res, { end: false });
  reply.once('end', () => {
    req.unpipe(onward);
    void finish({ req, res });
  });
}

/** What of the body nobody wants is swallowed before the end, so that the answer is not lost. */
async function finish({ req, res }: HttpExchange): Promise<void> {
  if (isBodyComplete(req)) {
    res.end();
    return;
  }
  res.flushHeaders();
  const isWhole = await drainRequest(req, DEFAULT_STALL_LIMITS);
  res.end(() => {
    if (!isWhole) req.socket.destroy();
  });
}

/** They concern one connection (RFC 9110 section 7.6.1), or were taken off where it ended. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const NOT_ONWARD: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'http2-settings', 'te', 'trailer'],
  ...['expect', ORIGIN_HEADER],
]);

function onwardLines(req: IncomingMessage): string[] {
  const lines = without(NOT_ONWARD, req.rawHeaders);
  lines.push(ORIGIN_HEADER, originLine(req));
  if (expects(req)) lines.push('expect', '100-continue');
  // Node would take the lack of a length for a body without an end.
  const isFramed = 'content-length' in req.headers || 'transfer-encoding' in req.headers;
  if (!isFramed) lines.push('content-length', '0');
  return lines;
}

function without(names: ReadonlySet<string>, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !names.has((rawHeaders[at - (at % 2)] ?? '').toLowerCase()));
}
