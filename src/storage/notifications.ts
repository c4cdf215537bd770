import { sql } from 'kysely';
import type pg from 'pg';
import type { ClusterSubscription, ClusterSubscriptionOptions } from '../core/cluster-events.js';
import { createBackoff } from '../lib/backoff.js';
import { withTimeout } from '../lib/timeout.js';
import type { Database, Write } from './tables.js';
import { isPostgres } from './transactions.js';

/** Channel on which nodes notify each other of changes to the platform state. */
const CHANNEL = 'gatehouse_platform';

/** Channel of questions between nodes, and of their answers. */
const QUESTION_CHANNEL = 'gatehouse_questions';

/** Sends questions or answers to all nodes, in their order. */
export async function notifyNodes(db: Write, payloads: readonly string[]): Promise<void> {
  for (const payload of payloads) await sql`select pg_notify(${QUESTION_CHANNEL}, ${payload})`.execute(db);
}

/** Returns the number of nodes that listen on this database, this one included. */
export async function countListeners(db: Database): Promise<number> {
  const { rows } = await sql<{ readonly count: string }>`select count(*) as count from pg_stat_activity
    where application_name = ${LISTENER_NAME} and datname = current_database()`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Name of the connection of a listener in `pg_stat_activity`. */
export const LISTENER_NAME = 'gatehouse-listener';

/**
 * Notifies the other nodes of a change when its transaction is committed; sends nothing if the transaction is
 * rolled back. `node` is the id of the sender, which ignores its own notifications. Does nothing for SQLite,
 * whose database belongs to one node.
 */
export async function notifyPeers(db: Write, node: string): Promise<void> {
  if (isPostgres(db)) await sql`select pg_notify(${CHANNEL}, ${node})`.execute(db);
}

/** First and maximum pause before the next attempt to connect, in milliseconds. */
const RETRY_BACKOFF = { firstMs: 1_000, maxMs: 60_000 };

/** Interval between checks of the connection, in milliseconds: a connection that hangs reports no error. */
const PROBE_INTERVAL_MS = 30_000;

/** Maximum time for the server to close a connection, in milliseconds. */
const END_TIMEOUT_MS = 1_000;

/** Options of a {@link PeerListener}. */
export interface PeerListenerOptions extends ClusterSubscriptionOptions {
  readonly client: () => pg.Client;
  /** Receives the questions and answers of all nodes, also those of this node; absent: they are ignored. */
  readonly onMessage?: (payload: string) => void;
  /** Called after each connect, because messages may have been missed. */
  readonly onListening?: () => void;
  /** Id of this node. The listener ignores notifications with this id. */
  readonly node: string;
}

/**
 * Listens for notifications of other nodes on a dedicated connection, because the pool may close its
 * connections. Reconnects after a loss, with a pause that doubles from one second to one minute. Calls
 * `onChange` after each connect, because notifications may have been missed.
 */
export class PeerListener implements ClusterSubscription {
  readonly #options: PeerListenerOptions;
  #client: pg.Client | undefined;
  readonly #backoff = createBackoff(RETRY_BACKOFF);
  #isLost = false;
  #cancelTimer = (): void => undefined;
  #pending = Promise.resolve();
  #closed = false;

  constructor(options: PeerListenerOptions) {
    this.#options = options;
    this.#pending = this.#connect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    if (this.#client) await this.#end(this.#client, this.#pending);
  }

  async #connect(): Promise<void> {
    const { node, onChange, onMessage } = this.#options;
    const client = (this.#client = this.#options.client());
    client.on('notification', ({ channel, payload = '' }) => {
      if (this.#closed) return;
      if (channel === QUESTION_CHANNEL) onMessage?.(payload);
      else if (payload !== node) onChange();
    });
    client.on('error', () => {
      this.#handleLoss(client);
    });
    client.on('end', () => {
      this.#handleLoss(client);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      await client.query(`listen ${QUESTION_CHANNEL}`);
    } catch {
      this.#handleLoss(client);
      return;
    }
    if (this.#client === client && !this.#closed) this.#handleListening(client);
  }

  #handleListening(client: pg.Client): void {
    this.#backoff.reset();
    if (this.#isLost) this.#options.log.info('notification connection restored');
    this.#isLost = false;
    this.#scheduleProbe(client);
    this.#options.onListening?.();
    this.#options.onChange();
  }

  #scheduleProbe(client: pg.Client): void {
    this.#schedule(PROBE_INTERVAL_MS, async () => {
      try {
        await client.query('select 1');
      } catch {
        this.#handleLoss(client);
      }
      if (this.#client === client && !this.#closed) this.#scheduleProbe(client);
    });
  }

  /** Ends a connection after the work that uses it. Destroys it if the server does not close it in time. Never rejects. */
  #end(client: pg.Client, work = Promise.resolve()): Promise<void> {
    const ended = work.then(() => client.end()).catch(() => undefined);
    const late = (): void => {
      client.connection.stream.destroy();
    };
    return withTimeout(ended, { ms: END_TIMEOUT_MS, scheduler: this.#options.scheduler, late });
  }

  #schedule(ms: number, work: () => Promise<void>): void {
    this.#cancelTimer = this.#options.scheduler.after(ms, () => {
      this.#pending = work();
    });
  }

  /**
   * Handles the loss of a connection. Several events can report the same loss; only the first has an effect.
   */
  #handleLoss(client: pg.Client): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = undefined;
    this.#cancelTimer();
    void this.#end(client);
    const { log } = this.#options;
    if (!this.#isLost)
      log.warn('notification connection lost; polling the database once a second until it is restored');
    this.#isLost = true;
    this.#schedule(this.#backoff.next(), () => this.#connect());
  }
}
