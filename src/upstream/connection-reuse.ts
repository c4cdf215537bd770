import type { ConnectionReuseState } from '../core/upstream.js';

/** Number of reused connections in a row that end without a reply, after which connections are no longer reused. */
export const MAX_DROPS_IN_ROW = 3;

/**
 * Decides whether the connections to a target serve more than one request. Some targets, and some load balancers, end a connection
 * without notice when it is used again.
 */
export class ConnectionReuse {
  #state: ConnectionReuseState;
  readonly #onStop: () => void;
  readonly #openedIn = new WeakMap<object, number>();
  #generation = 0;
  #inRow = 0;

  /** `onStop` is called when the reuse stops. */
  constructor(isOn = true, onStop: () => void = () => undefined) {
    this.#state = isOn ? 'on' : 'off';
    this.#onStop = onStop;
  }

  get state(): ConnectionReuseState {
    return this.#state;
  }

  /** Notes a new connection. */
  noteOpened(connection: object): void {
    this.#openedIn.set(connection, this.#generation);
  }

  /** Notes a reply on a reused connection. */
  noteReply(): void {
    this.#inRow = 0;
  }

  /**
   * Notes that a reused connection has ended after a request and before its reply. Connections that were opened before the
   * latest drop do not count: a restart of the target ends many at once.
   */
  noteDrop(connection: object): void {
    if (this.#openedIn.get(connection) !== this.#generation) return;
    this.#generation += 1;
    this.#inRow += 1;
    if (this.#state !== 'on' || this.#inRow < MAX_DROPS_IN_ROW) return;
    this.#state = 'stopped';
    this.#onStop();
  }
}
