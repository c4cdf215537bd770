import type { Agent, IncomingMessage } from 'node:http';
import util from 'node:util';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { SendStream, StreamExchange } from './exchange.js';

/** The library neither writes to the response nor waits for its end (`selfHandleResponse`). */
const NO_RESPONSE = {};

/**
 * Creates the proxy of a base URL. http-proxy-middleware sends the request over the connections of the agent. The reply does not go
 * through it: it joins repeated headers, writes the head before the session of the adapter can be renewed, and accepts any protocol
 * switch (docs/decisions/0060-readable-before-fast.md).
 */
export function createStreamProxy(origin: string, agent: Agent): SendStream {
  silenceExtendWarning();
  const proxy = createProxyMiddleware<StreamExchange, typeof NO_RESPONSE>({
    target: origin,
    agent,
    selfHandleResponse: true,
    // The path is taken as it is; the library would otherwise parse it.
    toProxy: true,
    // The library's default responses expose host and path, and its default log exposes the rest.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('error', (error, exchange: StreamExchange | undefined) => exchange?.fail(error));
        server.on('proxyRes', (head, exchange) => {
          // The library's types give the reply the type of the request.
          exchange.receive(head as unknown as IncomingMessage);
        });
      },
    ],
  });
  return (exchange) => {
    const fail = (error: unknown): void => {
      exchange.fail(error ?? new Error('the library did not pass the request on'));
    };
    proxy(exchange, NO_RESPONSE, fail).catch(fail);
  };
}

/**
 * Prevents the warning DEP0060, which Node.js 22 and later print at the first call of `util._extend`: http-proxy, below
 * http-proxy-middleware 3, calls it.
 */
function silenceExtendWarning(): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    Reflect.apply(Reflect.get(util, '_extend') as () => unknown, util, [{}, {}]);
  } finally {
    process.emitWarning = emitWarning;
  }
}
