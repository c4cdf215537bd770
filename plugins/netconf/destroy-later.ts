import type { ByteTunnel } from '../../src/core/stream.js';
import { monotonicScheduler } from '../../src/lib/clock.js';

/** Maximum time between the end that is sent to a server and the end of the connection, in milliseconds. */
const MAX_CLOSING_MS = 1000;

/**
 * Destroys a connection whose end was sent, if the server does not end it as well: it could go on sending, or read nothing.
 */
export function destroyLater(socket: ByteTunnel): void {
  if (socket.destroyed) return;
  const cancel = monotonicScheduler.after(MAX_CLOSING_MS, () => {
    socket.destroy();
  });
  socket.once('close', cancel);
}
