import type { Scheduler } from './lib/clock.js';
import type { Log } from './log.js';

export interface ClusterSubscriptionOptions {
  readonly scheduler: Scheduler;
  readonly log: Log;
  /**
   * Called when another node has changed the state, and when such a change may have been missed. The callback
   * must read the state to find the change.
   */
  readonly onChange: () => void;
}

/** A subscription to changes of other nodes. It reconnects until it is closed. */
export interface ClusterSubscription {
  close(): Promise<void>;
}

/**
 * Subscribes to changes that nodes on the same database make. Notifications can be missed; polling finds
 * those changes.
 */
export type SubscribeClusterChanges = (input: ClusterSubscriptionOptions) => ClusterSubscription;
