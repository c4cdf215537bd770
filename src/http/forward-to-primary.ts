import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { originLine, ORIGIN_HEADER } from './caller-origin.js';
import { markStreaming } from './connections.js';
import { bodyLength, isBodyComplete, canKeepAlive, drainRequest } from './drain-request.js';
import { type HttpExchange, DEFAULT_STALL_LIMITS } from './request-context.js';

/** Forwards requests to another process of this server, which answers them. */
export interface ForwardToPrimary {
  /**
   * Forwards a request and returns the response, both as streams, unchanged except for hop-by-hop headers.
   */
  readonly serve: (exchange: HttpExchange) => void;
  /** Ends idle connections. */
  readonly close: () => void;
}

/** Creates a forwarder to the private listener at a Unix domain socket. */
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
        // After a response, the error only means that the rest of the body was not read.
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

/**
 * Sends the body; with `Expect`, only after the other process requests the body (RFC 9110 section 10.1.1).
 */
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
  // A reply without a length may be an endless stream, so its head must not wait for the first byte.
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

/** Ends the response after the unread rest of the body is discarded, so that the response is not lost. */
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

/**
 * Headers that concern a single connection (RFC 9110 section 7.6.1), or that the end of that connection has
 * already processed.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const NOT_ONWARD: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'http2-settings', 'te', 'trailer'],
  ...['expect', ORIGIN_HEADER],
]);

function onwardLines(req: IncomingMessage): string[] {
  const lines = without(NOT_ONWARD, req.rawHeaders);
  lines.push(ORIGIN_HEADER, originLine(req));
  if (expects(req)) lines.push('expect', '100-continue');
  // Node would treat a request without a length as one with an endless body.
  const isFramed = 'content-length' in req.headers || 'transfer-encoding' in req.headers;
  if (!isFramed) lines.push('content-length', '0');
  return lines;
}

function without(names: ReadonlySet<string>, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !names.has((rawHeaders[at - (at % 2)] ?? '').toLowerCase()));
}
