import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

// Loaded before gatehouse: nothing closes a connection that it has taken.
subscribe('net.server.socket', (message) => {
  const { socket } = message as { readonly socket: Socket };
  socket.destroy = () => socket;
});
