import type { Scheduler } from './lib/clock.js';
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
