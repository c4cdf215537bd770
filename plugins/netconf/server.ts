import type { Log } from '../../src/core/log.js';
import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { ReaderThreads } from './reader-threads.js';
import type { Session } from './session.js';
import type { ReportUnknown } from './unknown-nodes.js';

/** Which datastore changes are made in. */
export type TargetChoice = 'auto' | 'candidate' | 'running';

/** Settings of changes. */
export interface EditSettings {
  readonly target: TargetChoice;
  /** True to validate a candidate before it is committed, where the server can. */
  readonly validates: boolean;
  /** Seconds after which the server takes back a commit that is not confirmed; 0: commits are not confirmed. */
  readonly confirmSeconds: number;
  /** Maximum time to wait for the lock of another session, in milliseconds. */
  readonly lockMs: number;
  /** Waits this many milliseconds, or until the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What a call needs: a session that no other call uses, the model of the server, the threads that read it, and the settings. */
export interface CallContext {
  /** Name of the adapter. */
  readonly adapter: string;
  readonly session: Session;
  readonly model: ModelBytes;
  readonly threads: ReaderThreads;
  readonly signal: AbortSignal;
  readonly settings: EditSettings;
  readonly log: Log;
  /** Logs the paths of nodes that the model does not have. */
  readonly reportUnknown: ReportUnknown;
}
