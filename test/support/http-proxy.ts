import { createServer, request as requestOut } from 'node:http';
import { connect } from 'node:net';
import { listenOnLoopback } from './loopback.js';

/** An HTTP proxy on loopback that forwards and records all requests. */
interface HttpProxy {
  readonly url: string;
  /** `METHOD target` of every request, as sent. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts the proxy; with a status, it refuses tunnels with this status. */
export async function startHttpProxy(refuseWith?: number): Promise<HttpProxy> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    const { method, headers } = request;
    const out = requestOut(request.url ?? '', { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    request.pipe(out);
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url ?? ''}`);
    if (refuseWith !== undefined) {
      socket.end(`HTTP/1.1 ${refuseWith} No\r\n\r\n`);
      return;
    }
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(request.url ?? '') ?? [];
    const out = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      out.pipe(socket).pipe(out);
    });
    for (const end of [out, socket]) end.on('error', () => [out, socket].map((one) => one.destroy()));
  });
  const { port, close } = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, asked, close };
}
