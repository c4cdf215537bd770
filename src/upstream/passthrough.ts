import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createProxyMiddleware } from 'http-proxy-middleware';

/** A request that is complete but for its body: nothing is added but framing. */
export interface PreparedRequest {
  readonly method: string;
  /** Request target, byte for byte (RFC 9112 section 3.2). */
  readonly target: string;
  /** Names in lower case. Framing headers are not looked at. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Bytes of the body; `chunked` when nobody knows; `none` without one. */
  readonly length: number | 'chunked' | 'none';
  /** Given the request before a byte of it is written: sends the body and ends it. */
  readonly begin: (out: ClientRequest) => void;
}

/** What came back: the head, with the body behind it; or the connection, after a change of protocol. */
export interface PreparedStream {
  readonly head: IncomingMessage;
  readonly tunnel?: Duplex;
}

/** Sends a request once and resolves when the head of the reply has come. Throws the errors of Node. */
export type PrepareStream = (request: PreparedRequest) => Promise<PreparedStream>;

/** A request as http-proxy sees it: made for this, so that nothing of the caller's own request can slip through. */
interface Hop {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Without a `server`, on which the library would leave a listener for every instance. */
  readonly socket: { readonly destroyed: false };
  on(): void;
  pipe(out: ClientRequest): ClientRequest;
  fail(error: Error): void;
  reply(head: IncomingMessage): void;
}

/** In place of a response: the library writes none, `selfHandleResponse` says so, and waits for no end. */
const NO_RESPONSE = { headersSent: true, finished: true };

/**
 * Makes the pass-through to the place that an agent connects to, on http-proxy-middleware. The library connects by the agent
 * and hands over request and reply; each of its known traps is closed here and named in its test.
 */
export function createCarry(agent: Agent): PrepareStream {
  const proxy = createProxyMiddleware<Hop, typeof NO_RESPONSE>({
    // The agent knows the way; with its own `target`, the library would choose TLS, name and port.
    target: { protocol: 'http:', host: 'localhost', port: 80 },
    agent,
    selfHandleResponse: true,
    // Its own answers name host and path, and its own log the rest.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('error', (error, hop: Hop | undefined) => hop?.fail(error));
        server.on('proxyRes', (head, hop) => {
          // Its types take the reply for another request of the kind that it was given.
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

interface Outcome {
  readonly resolve: (carried: PreparedStream) => void;
  readonly reject: (error: Error) => void;
}

function hopOf(request: PreparedRequest, { resolve, reject }: Outcome): Hop {
  const { method, headers } = request;
  return {
    // Parsed, joined and cleaned by the library, and then not used.
    url: '/',
    method,
    headers,
    socket: { destroyed: false },
    on: () => undefined,
    pipe(out) {
      // The one moment before the head is made: later, on the socket, it is made already and setting it throws.
      out.path = request.target;
      // The size bounds the head of the reply; Node would drop the lines after the thousandth without a word.
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

/** The library makes a DELETE with a chunked body one of length 0: its body would be read as the next request. */
function setFraming(out: ClientRequest, length: PreparedRequest['length']): void {
  out.removeHeader('content-length');
  out.removeHeader('transfer-encoding');
  out.useChunkedEncodingByDefault = length === 'chunked';
  if (length === 'chunked') out.setHeader('transfer-encoding', 'chunked');
  else if (length !== 'none') out.setHeader('content-length', length);
}
