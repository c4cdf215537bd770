import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { headerLinesOf } from '../core/stream.js';
import { originHeader, ORIGIN_HEADER } from './caller-origin.js';
import { markStreaming } from './connections.js';
import { bodyLength, isBodyComplete, canKeepAlive, drainRequest } from './drain-request.js';
import { type HttpExchange, DEFAULT_STALL_LIMITS } from './request-context.js';
import { writeReceivedHead } from './write-received-head.js';

/** Forwards requests to the primary process of this server, which serves them. */
export interface ForwardToPrimary {
  /** Forwards a request and its response as streams. Changes nothing except hop-by-hop headers. */
  readonly serve: (exchange: HttpExchange) => void;
  /** Ends idle connections. */
  readonly close: () => void;
}

/** Creates a forwarder to the primary's private listener at a Unix domain socket. */
export function createForwarder(socketPath: string): ForwardToPrimary {
  const agent = new Agent({ keepAlive: true });
  return {
    serve(exchange) {
      const { req, res } = exchange;
      const { method, url: path } = req;
      const forwarded = request({ socketPath, agent, method, path, headers: forwardedHeaders(req) });
      forwarded.once('response', (response) => {
        relayResponse(exchange, response, forwarded);
      });
      forwarded.on('error', () => {
        // An error after the response head only means that the primary did not read the rest of the body.
        if (!res.headersSent) res.destroy();
      });
      res.once('close', () => {
        if (!res.writableFinished) forwarded.destroy();
      });
      forwardBody(exchange, forwarded);
    },
    close() {
      agent.destroy();
    },
  };
}

/** Sends the body. With `Expect`, waits until the primary requests the body (RFC 9110 section 10.1.1). */
function forwardBody({ req, res }: HttpExchange, forwarded: ClientRequest): void {
  if (bodyLength(req.headers) === 0) {
    forwarded.end();
  } else if (expectsContinue(req)) {
    forwarded.flushHeaders();
    forwarded.once('continue', () => {
      res.writeContinue();
      req.pipe(forwarded);
    });
  } else req.pipe(forwarded);
}

function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1';
}

function relayResponse(
  { req, res }: HttpExchange,
  response: IncomingMessage,
  forwarded: ClientRequest,
): void {
  if (response.headers.connection === 'close' || !canKeepAlive(req)) res.shouldKeepAlive = false;
  writeReceivedHead(res, {
    status: response.statusCode ?? 502,
    statusText: response.statusMessage,
    lines: headerLinesOf(response.rawHeaders).filter(
      ([name]) => !RESPONSE_HOP_HEADERS.has(name.toLowerCase()),
    ),
  });
  // A response without a length may be an endless stream, so its head must not wait for the first byte.
  if (response.headers['content-length'] === undefined) {
    res.flushHeaders();
    markStreaming(res);
  }
  response.on('error', () => res.destroy());
  response.pipe(res, { end: false });
  response.once('end', () => {
    req.unpipe(forwarded);
    void endResponse({ req, res });
  });
}

/** Discards the unread rest of the body and then ends the response, so that the response is not lost. */
async function endResponse({ req, res }: HttpExchange): Promise<void> {
  if (isBodyComplete(req)) {
    res.end();
    return;
  }
  res.flushHeaders();
  const isDrained = await drainRequest(req, DEFAULT_STALL_LIMITS);
  res.end(() => {
    if (!isDrained) req.socket.destroy();
  });
}

/** Response headers that concern only the connection to the primary (RFC 9110 section 7.6.1). */
const RESPONSE_HOP_HEADERS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** Request headers that concern only the client's connection, or that this process has already handled. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'http2-settings', 'te', 'trailer'],
  ...['expect', ORIGIN_HEADER],
]);

function forwardedHeaders(req: IncomingMessage): string[] {
  const kept = headerLinesOf(req.rawHeaders).filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase()));
  const lines = [...kept.flat(), ORIGIN_HEADER, originHeader(req)];
  if (expectsContinue(req)) lines.push('expect', '100-continue');
  // Without a length, Node would add `transfer-encoding: chunked` for methods with a body.
  const isFramed = 'content-length' in req.headers || 'transfer-encoding' in req.headers;
  if (!isFramed) lines.push('content-length', '0');
  return lines;
}
