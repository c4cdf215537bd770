import type { IncomingMessage } from 'node:http';
import { callerGone } from './failure.js';

/** Watches whether the caller is still there. */
export interface Caller {
  /** Fires with the Problem `caller_gone` when the connection closes. */
  readonly signal: AbortSignal;
  /** Ends the watch. */
  readonly release: () => void;
}

/** Watches the connection of a request from now until `release`. */
export function watchCaller({ socket }: IncomingMessage): Caller {
  const controller = new AbortController();
  const leave = () => {
    controller.abort(callerGone());
  };
  // Pipelined requests all watch their one connection.
  socket.setMaxListeners(0);
  socket.once('close', leave);
  if (socket.destroyed) leave();
  return {
    signal: controller.signal,
    release() {
      socket.off('close', leave);
      // A connection that was broken off is gone before it says so, and nobody listens then.
      if (socket.destroyed) leave();
    },
  };
}
