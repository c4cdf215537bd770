import type { Fault } from '../../core/fault.js';
import type { Metric } from '../../core/metric.js';
import type { CacheChange } from '../../core/read-cache.js';
import type { RevokedToken } from '../../core/session.js';
import type { ToldTask } from '../../core/task.js';
import type { SiblingQuestion } from '../../features/console/siblings.js';
import type { ProcessStats } from './process-stats.js';

// The messages between the starter and its workers. All values are plain JSON.

/** What distinguishes a worker from the other processes of its server. */
export interface WorkerPlace {
  /** Number of the worker, from 0; its successor has the same. */
  readonly worker: number;
  /** Number of the audit file of the process, from 0. No two processes that run have the same. */
  readonly chain: number;
  /** Number of processes that serve at the same time. */
  readonly processes: number;
  /** Key of pending sign-ins, in Base64, if the configuration has none. */
  readonly signInKey: string;
}

/** Input of a new worker. */
export interface WorkerInit extends WorkerPlace {
  readonly configPath: string;
  readonly pluginFolder?: string;
  readonly pageFolder?: string;
  readonly guideFolder?: string;
  /** URL of the listener; absent before the starter listens. */
  readonly url?: string | undefined;
}

/**
 * A change that a process made, and that the other processes of the server apply before the change is answered. `traffic`: a
 * page shows the traffic, so that all processes store their numbers.
 */
export type SharedChange =
  | { readonly kind: 'files' | 'records' | 'secrets' | 'traffic' }
  | { readonly kind: 'revoked'; readonly tokens: readonly RevokedToken[] }
  | { readonly kind: 'cache'; readonly change: CacheChange }
  | { readonly kind: 'task'; readonly task: ToldTask };

/** Functions that workers call in the starter. */
export interface StarterRpc {
  /** Locks a data file for this server until the starter ends. Rejects if another server uses the file. */
  readonly lockFile: (path: string) => void;
  /** Resolves when all other workers have applied the change. */
  readonly tellOthers: (change: SharedChange) => Promise<void>;
  /** Resolves when the worker may write to the SQLite file. */
  readonly takeTurn: (input: null) => Promise<void>;
  readonly endTurn: (input: null) => void;
  /** Returns the answers of the other workers that arrive in time. */
  readonly askOthers: (question: SiblingQuestion) => Promise<readonly unknown[]>;
  /** Sends texts to all workers, the sender included, in their order. */
  readonly sendToAll: (texts: readonly string[]) => void;
  readonly countWorkers: (input: null) => number;
  /** Returns the metrics of all processes, added up. */
  readonly readAllMetrics: (input: null) => Promise<readonly Metric[]>;
  /** Keeps the metrics of a worker that is about to end. */
  readonly keepMetrics: (metrics: readonly Metric[]) => void;
}

/** Functions that the starter calls in a worker. */
export interface WorkerRpc {
  /** Resolves when the worker can serve; to the faults of the configuration if it cannot. */
  readonly start: (init: WorkerInit) => Promise<readonly Fault[]>;
  /** Receives the URL of the listener after the start of the whole server. */
  readonly listens: (url: string) => Promise<void>;
  /** Resolves when every new call finds the change. */
  readonly applyChange: (change: SharedChange) => Promise<void>;
  readonly answer: (question: SiblingQuestion) => Promise<unknown>;
  readonly receive: (text: string) => void;
  /** Reads the configuration again; returns its faults. */
  readonly reload: (input: null) => Promise<readonly Fault[]>;
  readonly readMetrics: (input: null) => Promise<readonly Metric[]>;
  /** Returns statistics of the process. A healthy worker replies at once. */
  readonly readStats: (input: null) => ProcessStats;
  /** Begins the lame duck time: each connection ends with its next response, while new connections are still accepted. */
  readonly announceStop: (input: null) => Promise<void>;
  /** Ends the worker gracefully: callers find no connection closed. */
  readonly retire: (input: null) => Promise<void>;
  /** Refuses new requests, answers the running requests, and ends. */
  readonly stop: (input: null) => Promise<void>;
}
