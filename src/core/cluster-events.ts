import type { Scheduler } from '../lib/clock.js';
import type { Log } from './log.js';

/** Callback and services of a subscription. */
export interface ClusterSubscriptionOptions {
  readonly scheduler: Scheduler;
  readonly log: Log;
  /**
   * Called when another node has changed the state, and when a notification may have been missed. The
   * callback must read the state to find the change.
   */
  readonly onChange: () => void;
}

/** A subscription to changes by other nodes. The subscription reconnects until it is closed. */
export interface ClusterSubscription {
  close(): Promise<void>;
}

/**
 * Subscribes to changes by other nodes on the same database. Notifications can be missed; polling finds those
 * changes.
 */
export type SubscribeClusterChanges = (input: ClusterSubscriptionOptions) => ClusterSubscription;

export interface PeerAnswers {
  readonly answers: readonly string[];
  /** Number of nodes that did not answer in time. */
  readonly silent: number;
}

/** Questions between the nodes that share a database. */
export interface PeerQuestions {
  /**
   * Asks all other nodes. Resolves when every one has answered, at the latest after 1.5 seconds. Without the database, no
   * node answers.
   */
  ask(question: string, scheduler: Scheduler): Promise<PeerAnswers>;
  /** Sends a text of at most 2,000 bytes to all other nodes. Rejects if the database does not take it. */
  announce(text: string): Promise<void>;
  /** Sets the function that receives the announcements of other nodes. */
  onAnnouncement(receive: (text: string) => void): void;
  /** Sets the function that is called when announcements of other nodes may have been missed. */
  onMissedAnnouncements(receive: () => void): void;
  /** Sets the function that answers the questions of other nodes; before, this node does not answer. */
  onQuestion(answer: (question: string) => string): void;
}

/** What the processes of a server need of each other to share a SQLite file. */
export interface SiblingStore {
  /** Resolves when this process may write, until it ends its turn. */
  readonly takeTurn: () => Promise<void>;
  readonly endTurn: () => void;
  /** Sends texts to all processes, this one included, in their order. */
  readonly send: (texts: readonly string[]) => Promise<void>;
  /** Returns the number of processes, with this one. */
  readonly count: () => Promise<number>;
  readonly onReceive: (receive: (text: string) => void) => void;
}
