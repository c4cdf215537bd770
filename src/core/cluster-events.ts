import type { Scheduler } from './lib/clock.js';
import type { Log } from './log.js';

export interface ClusterSubscriptionOptions {
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Called when another node has changed something, and when it may have done so unheard. Look for what it was. */
  readonly onChange: () => void;
}

/** An open ear; it keeps itself open until it is closed. */
export interface ClusterSubscription {
  close(): Promise<void>;
}

/** Hears at once of what nodes on the same database change. What it misses, whoever looks by himself finds. */
export type SubscribeClusterChanges = (input: ClusterSubscriptionOptions) => ClusterSubscription;
