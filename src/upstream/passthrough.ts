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
  readonly begin: (out: ClientRequest) => void;
}

/** The reply: its head, whose stream is the body; or the connection, after a protocol switch. */
export interface PassthroughReply {
  readonly head: IncomingMessage;
  readonly tunnel?: Duplex;
}

/** Sends a request once and resolves when the head of the reply arrives. Throws Node's errors. */
export type SendPassthrough = (request: PassthroughRequest) => Promise<PassthroughReply>;

/**
 * The request that http-proxy receives: a separate object, so that no part of the caller's request can leak
 * into the forwarded request.
 */
interface Hop {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Has no `server`, because the library would leave a listener on it for every instance. */
  readonly socket: { readonly destroyed: false };
  on(): void;
  pipe(out: ClientRequest): ClientRequest;
  fail(error: Error): void;
  reply(head: IncomingMessage): void;
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
  return (request) =>
    new Promise((resolve, reject) => {
      const hop = hopOf(request, { resolve, reject });
      proxy(hop, NO_RESPONSE, (error: unknown) => {
        reject(error instanceof Error ? error : new Error('the library did not pass the request on'));
      }).catch(reject);
    });
}

interface PassthroughSettlement {
  readonly resolve: (reply: PassthroughReply) => void;
  readonly reject: (error: Error) => void;
}

function hopOf(request: PassthroughRequest, { resolve, reject }: PassthroughSettlement): Hop {
  const { method, headers } = request;
  return {
    // Parsed, joined and cleaned by the library, but not used.
    url: '/',
    method,
    headers,
    socket: { destroyed: false },
    on: () => undefined,
    pipe(out) {
      // The only moment before the head is generated: once the socket is assigned, setting the path throws.
      out.path = request.target;
      // The size limits the head of the reply; Node would silently drop all lines after the first thousand.
      out.maxHeadersCount = 0;
      setFraming(out, request.length);
      out.once('upgrade', (head, tunnel, first) => {
        if (first.length > 0) tunnel.unshift(first);
        resolve({ head, tunnel });
      });
      request.begin(out);
      return out;
    },
    fail: reject,
    reply: (head) => {
      resolve({ head });
    },
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
