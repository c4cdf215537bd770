import type { IncomingMessage } from 'node:http';
import { Problem } from '../core/problem.js';
import type { CancelSignal } from '../lib/cancel-signal.js';
import { removeItem } from '../lib/remove-item.js';
import { offConnectionClose, onConnectionClose } from './connection-close.js';

/** Watch on the connection of a caller. */
interface ClientConnection {
  /** Fires with the Problem `caller_gone` when the connection closes, or with that of `cancel`. */
  readonly signal: CancelSignal;
  /** Cancels what the caller has asked for. */
  readonly cancel: (problem: Problem) => void;
  /** Ends the watch. */
  readonly release: () => void;
}

/** Watches the connection of a request until `release`. */
export function watchClient({ socket }: IncomingMessage): ClientConnection {
  const signal = new ClientDisconnect();
  const onClose = () => {
    signal.fire();
  };
  onConnectionClose(socket, onClose);
  if (socket.destroyed) onClose();
  return {
    signal,
    cancel(problem) {
      signal.fire(problem);
    },
    release() {
      offConnectionClose(socket, onClose);
      // A destroyed socket emits `close` later, when this listener no longer exists.
      if (socket.destroyed) onClose();
    },
  };
}

class ClientDisconnect implements CancelSignal {
  aborted = false;
  /** Absent before the first; most calls have one listener. */
  #listeners: (() => void)[] | undefined;
  #reason: Problem | undefined;

  get reason(): Problem {
    return (this.#reason ??= clientClosedRequest());
  }

  fire(reason?: Problem): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#reason = reason;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /**
   * Adds a listener. The signal calls it at most once, with or without the `once` option, because a client
   * disconnects only once.
   */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.aborted) return;
    if (this.#listeners) this.#listeners.push(listener);
    else this.#listeners = [listener];
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listeners) removeItem(this.#listeners, listener);
  }
}

/**
 * Returns the Problem that the caller receives for an error. A Problem is returned unchanged. Any other error
 * becomes `caller_gone` after the signal has fired, and `internal` otherwise, because it is a bug.
 */
export function problemOf(error: unknown, signal?: CancelSignal): Problem {
  if (error instanceof Problem) return error;
  if (signal?.aborted) return clientClosedRequest(error);
  return new Problem('internal', 'Something went wrong on our side.', { cause: error });
}

/** Creates the Problem of a caller who disconnected before the response. */
export function clientClosedRequest(cause?: unknown): Problem {
  return new Problem('caller_gone', 'The caller disconnected before the response.', { cause });
}
