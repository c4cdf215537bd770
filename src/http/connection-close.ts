import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { removeItem } from '../lib/remove-item.js';

const listenersBySocket = new WeakMap<Socket, (() => void)[]>();

/**
 * Calls a function when the connection closes, unless it is removed before. One listener of the socket serves all requests
 * of the connection, because adding and removing listeners of a socket costs more than a member of a list.
 */
export function onConnectionClose(socket: Socket, listener: () => void): void {
  const known = listenersBySocket.get(socket);
  if (known) known.push(listener);
  else watch(socket).push(listener);
}

/** Removes a function that {@link onConnectionClose} added. */
export function offConnectionClose(socket: Socket, listener: () => void): void {
  const listeners = listenersBySocket.get(socket);
  if (listeners) removeItem(listeners, listener);
}

function watch(socket: Socket): (() => void)[] {
  const listeners: (() => void)[] = [];
  listenersBySocket.set(socket, listeners);
  socket.once('close', () => {
    for (const listener of [...listeners]) if (listeners.includes(listener)) listener();
  });
  return listeners;
}

/**
 * Terminates the connection. For an HTTP/1.0 client, a closed connection is the end of a response, and only a
 * reset shows that the response is incomplete.
 */
export function abortConnection({ req }: ServerResponse): void {
  // The request has the socket; a response that waits for an earlier response has no socket.
  const { socket } = req;
  if (req.httpVersion === '1.0' && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.destroy();
}
