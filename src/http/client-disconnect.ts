import type { IncomingMessage } from 'node:http';
import type { CancelSignal } from '../core/cancel-signal.js';
import type { Problem } from '../core/problem.js';
import { clientClosedRequest } from './failure.js';

/** Watches whether the caller is still there. */
export interface ClientConnection {
  /** Fires with the Problem `caller_gone` when the connection closes. */
  readonly signal: CancelSignal;
  /** Ends the watch. */
  readonly release: () => void;
}

/** Watches the connection of a request from now until `release`. */
export function watchClient({ socket }: IncomingMessage): ClientConnection {
  const signal = new ClientDisconnect();
  const leave = () => {
    signal.fire();
  };
  // Pipelined requests all watch their one connection.
  socket.setMaxListeners(0);
  socket.once('close', leave);
  if (socket.destroyed) leave();
  return {
    signal,
    release() {
      socket.off('close', leave);
      // A connection that was broken off is gone before it says so, and nobody listens then.
      if (socket.destroyed) leave();
    },
  };
}

class ClientDisconnect implements CancelSignal {
  aborted = false;
  readonly #listeners = new Set<() => void>();
  #reason: Problem | undefined;

  get reason(): Problem {
    return (this.#reason ??= clientClosedRequest());
  }

  fire(): void {
    if (this.aborted) return;
    this.aborted = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** Each listener is called once at most, whether it asks for that or not: nobody leaves twice. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }
}
