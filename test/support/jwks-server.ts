import http from 'node:http';
import { listenOnLoopback } from './loopback.js';

/** Answers one request to an identity provider. */
export type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** The HTTP server of an identity provider on loopback; it publishes keys, or misbehaves on demand. */
export interface JwksServer {
  /** `http://127.0.0.1:port`, also the name of the issuer. */
  readonly url: string;
  /** Targets of the requests so far. */
  readonly requests: readonly string[];
  /**
   * Serves these keys at `/jwks`, and the metadata that refers to them at
   * `/.well-known/openid-configuration`.
   */
  publish(...keys: readonly object[]): void;
  /** Answers all requests with this handler until the next call. */
  answer(how: Answer): void;
  close(): Promise<void>;
}

export async function startJwksServer(): Promise<JwksServer> {
  const requests: string[] = [];
  let current: Answer = (_, response) => response.writeHead(404).end();
  // The usual 5 s are too short on a busy machine: the server must not close a connection that a client is
  // about to use.
  const server = http.createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    requests.push(request.url ?? '');
    current(request, response);
  });
  const { port, close } = await listenOnLoopback(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests,
    publish(...keys) {
      const metadata = { issuer: url, jwks_uri: `${url}/jwks` };
      current = ({ url: target }, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(target === '/jwks' ? { keys } : metadata));
      };
    },
    answer(how) {
      current = how;
    },
    close,
  };
}
