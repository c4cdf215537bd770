import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

// Preloaded before gatehouse: accepted connections are never closed.
subscribe('net.server.socket', (message) => {
  const { socket } = message as { readonly socket: Socket };
  socket.destroy = () => socket;
});
