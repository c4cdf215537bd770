import type { Socket } from 'node:net';

const listenersBySocket = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls a function when the connection closes, unless it is removed before. One listener of the socket serves all requests
 * of the connection, because adding and removing listeners of a socket costs more than a member of a Set.
 */
export function onConnectionClose(socket: Socket, listener: () => void): void {
  const known = listenersBySocket.get(socket);
  if (known) known.add(listener);
  else watch(socket).add(listener);
}

/** Removes a function that {@link onConnectionClose} added. */
export function offConnectionClose(socket: Socket, listener: () => void): void {
  listenersBySocket.get(socket)?.delete(listener);
}

function watch(socket: Socket): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersBySocket.set(socket, listeners);
  socket.once('close', () => {
    for (const listener of [...listeners]) if (listeners.has(listener)) listener();
  });
  return listeners;
}
