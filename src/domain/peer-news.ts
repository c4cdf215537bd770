import type { Scheduler } from './clock.js';
import type { Log } from './log.js';

export interface HearingInput {
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Called when another node has changed something, and when it may have done so unheard. Look for what it was. */
  readonly onNews: () => void;
}

/** An open ear; it keeps itself open until it is closed. */
export interface Hearing {
  close(): Promise<void>;
}

/** Hears at once of what nodes on the same database change. What it misses, whoever looks by himself finds. */
export type HearPeers = (input: HearingInput) => Hearing;
