import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createProxyMiddleware } from 'http-proxy-middleware';

/** A request that is complete except for its body: only framing is added. */
export interface PassthroughRequest {
  readonly method: string;
  /** Request target, byte for byte (RFC 9112 section 3.2). */
  readonly target: string;
  /** Names in lower case. Framing headers are ignored. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Length of the body in bytes; `chunked` if unknown; `none` without a body. */
  readonly length: number | 'chunked' | 'none';
  /** Called with the request before any byte is written: sends the body and ends the request. */
  begin(out: ClientRequest): void;
  /** Called once, with the reply; or `reject`, with the failure. */
  resolve(reply: PassthroughReply): void;
  reject(error: unknown): void;
}

/** The reply: its head, whose stream is the body; or the connection, after a protocol switch. */
export interface PassthroughReply {
  readonly head: IncomingMessage;
  readonly tunnel: Duplex | undefined;
}

/** Sends a request once. The request receives the head of its reply, or Node's error. */
export type SendPassthrough = (request: PassthroughRequest) => void;

/** The socket of every hop. Has no `server`, because the library would leave a listener on it for every instance. */
const LIVE_SOCKET = { destroyed: false } as const;

/**
 * The request that http-proxy receives: a separate object, so that no part of the caller's request can leak
 * into the forwarded request.
 */
class Hop {
  /** Parsed, joined and cleaned by the library, but not used. */
  readonly url = '/';
  readonly socket = LIVE_SOCKET;
  readonly method: string;
  readonly headers: PassthroughRequest['headers'];
  readonly #request: PassthroughRequest;

  constructor(request: PassthroughRequest) {
    this.method = request.method;
    this.headers = request.headers;
    this.#request = request;
  }

  on(): void {
    // The library listens for failures of the caller's request, which this object does not have.
  }

  pipe(out: ClientRequest): ClientRequest {
    const request = this.#request;
    // The only moment before the head is generated: once the socket is assigned, setting the path throws.
    out.path = request.target;
    // The size limits the head of the reply; Node would silently drop all lines after the first thousand.
    out.maxHeadersCount = 0;
    setFraming(out, request.length);
    out.once('upgrade', (head, tunnel, first) => {
      if (first.length > 0) tunnel.unshift(first);
      request.resolve({ head, tunnel });
    });
    request.begin(out);
    return out;
  }

  fail(error: Error): void {
    this.#request.reject(error);
  }

  reply(head: IncomingMessage): void {
    this.#request.resolve({ head, tunnel: undefined });
  }
}

/**
 * Replaces the response: with `selfHandleResponse` the library neither writes to it nor waits for its end.
 */
const NO_RESPONSE = { headersSent: true, finished: true };

/**
 * Creates the pass-through to the target of an agent, based on http-proxy-middleware. The library connects
 * through the agent and provides request and reply; this module works around its known pitfalls, which the
 * test names.
 */
export function createPassthrough(agent: Agent): SendPassthrough {
  const proxy = createProxyMiddleware<Hop, typeof NO_RESPONSE>({
    // The agent determines the target; the library would otherwise choose TLS, host and port from its own
    // `target`.
    target: { protocol: 'http:', host: 'localhost', port: 80 },
    agent,
    selfHandleResponse: true,
    // The request target is set later, so that the library need not parse its own.
    toProxy: true,
    // The library's default responses expose host and path, and its default log exposes the rest.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('error', (error, hop: Hop | undefined) => hop?.fail(error));
        server.on('proxyRes', (head, hop) => {
          // The library's types give the reply the type of the request.
          hop.reply(head as unknown as IncomingMessage);
        });
      },
    ],
  });
  return (request) => {
    const hop = new Hop(request);
    const fail = (error: unknown): void => {
      hop.fail(error instanceof Error ? error : new Error('the library did not pass the request on'));
    };
    proxy(hop, NO_RESPONSE, fail).catch(fail);
  };
}

/**
 * Sets the framing headers. The library turns a DELETE with a chunked body into a request with length 0,
 * whose body would be read as the next request.
 */
function setFraming(out: ClientRequest, length: PassthroughRequest['length']): void {
  out.removeHeader('content-length');
  out.removeHeader('transfer-encoding');
  out.useChunkedEncodingByDefault = length === 'chunked';
  if (length === 'chunked') out.setHeader('transfer-encoding', 'chunked');
  else if (length !== 'none') out.setHeader('content-length', length);
}
