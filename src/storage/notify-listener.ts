import type pg from 'pg';
import type { ClusterSubscription, ClusterSubscriptionOptions } from '../core/cluster-events.js';
import { CHANNEL } from './notify.js';

/** First and longest pause before the next attempt to listen, in milliseconds. */
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** Pause between checks of the connection, in milliseconds. A connection that hangs reports no error. */
const PROBE_MS = 30_000;

export interface PeerListenerInput extends ClusterSubscriptionOptions {
  /** Creates a client that is not connected yet. */
  readonly client: () => pg.Client;
  /** Id of this node, whose own notifications are ignored. */
  readonly node: string;
}

/**
 * Listens on a dedicated connection, because those of the pool come and go. After a loss, it reconnects after
 * one second, then after two, up to a minute. One call of `onChange` makes up for missed notifications.
 */
export class PeerListener implements ClusterSubscription {
  readonly #input: PeerListenerInput;
  #client: pg.Client | undefined;
  #pause = FIRST_MS;
  #wasLost = false;
  #callOff = (): void => undefined;
  #working = Promise.resolve();
  #closed = false;

  constructor(input: PeerListenerInput) {
    this.#input = input;
    this.#working = this.#connect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#callOff();
    await this.#working;
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const { node, onChange: onNews } = this.#input;
    const client = (this.#client = this.#input.client());
    client.on('notification', ({ payload }) => {
      if (payload !== node && !this.#closed) onNews();
    });
    client.on('error', () => {
      this.#lose(client);
    });
    client.on('end', () => {
      this.#lose(client);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch {
      this.#lose(client);
      return;
    }
    if (this.#client === client && !this.#closed) this.#begin(client);
  }

  #begin(client: pg.Client): void {
    this.#pause = FIRST_MS;
    if (this.#wasLost) this.#input.log.info('changes of other nodes are heard at once again');
    this.#wasLost = false;
    this.#planProbe(client);
    this.#input.onChange();
  }

  #planProbe(client: pg.Client): void {
    this.#plan(PROBE_MS, async () => {
      try {
        await client.query('select 1');
      } catch {
        this.#lose(client);
      }
      if (this.#client === client && !this.#closed) this.#planProbe(client);
    });
  }

  #plan(ms: number, work: () => Promise<void>): void {
    this.#callOff = this.#input.scheduler.after(ms, () => {
      this.#working = work();
    });
  }

  /** Handles the end of a connection, which is reported in several ways and more than once. */
  #lose(client: pg.Client): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = undefined;
    this.#callOff();
    void client.end().catch(() => undefined);
    const { log } = this.#input;
    if (!this.#wasLost)
      log.warn(
        'the connection that hears of other nodes is lost; they are asked once a second until it is back',
      );
    this.#wasLost = true;
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, LONGEST_MS);
    this.#plan(pause, () => this.#connect());
  }
}
