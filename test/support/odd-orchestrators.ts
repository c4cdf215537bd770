import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { type Listener, listenOnLoopback } from './loopback.js';

/** Opens a server that accepts connections and never sends a byte. */
export function openSilentServer(): Promise<Listener> {
  return listenOnLoopback(createTcpServer((socket) => socket.on('error', () => undefined).resume()));
}

/** Opens a server that answers every request with the HTML of a login page. */
export function openLoginPageServer(): Promise<Listener> {
  return listenOnLoopback(
    createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<html><body><form action="/login">Sign in</form></body></html>');
    }),
  );
}
