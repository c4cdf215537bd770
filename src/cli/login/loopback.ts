import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MINIMAL_PAGE_HEADERS, minimalPage, PAGE_TYPE } from '../../http/html.js';

/** A server on this machine that receives one authorization response (RFC 8252 section 7.3). */
interface LoopbackReceiver {
  readonly redirectUri: string;
  /** Resolves to the parameters of the response with this `state`; other responses are refused. */
  response(state: string): Promise<URLSearchParams>;
  close(): Promise<void>;
}

const PATH = '/callback';

/** Listens on a free port of the loopback interface. */
export async function openLoopbackReceiver(): Promise<LoopbackReceiver> {
  let onResponse: (parameters: URLSearchParams) => boolean = () => false;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const isTaken = request.method === 'GET' && pathname === PATH && onResponse(searchParams);
    const isSignedIn = isTaken && !searchParams.has('error');
    const title = isSignedIn ? 'Signed in' : 'Not signed in';
    const content = isTaken
      ? 'Close this page, and go back to the shell.'
      : 'No sign-in waits for this page.';
    response
      .writeHead(isTaken ? 200 : 400, {
        ...MINIMAL_PAGE_HEADERS,
        'content-type': PAGE_TYPE,
        connection: 'close',
      })
      .end(minimalPage({ title, content }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}${PATH}`,
    response: (state) =>
      new Promise((resolve) => {
        onResponse = (parameters) => {
          if (parameters.get('state') !== state) return false;
          onResponse = () => false;
          resolve(parameters);
          return true;
        };
      }),
    async close() {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}
