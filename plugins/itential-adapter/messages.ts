import type { MessagePort } from 'node:worker_threads';
import type { LogLevel } from '../../src/core/log.js';

/** Most characters of a line that leave a worker. */
export const RAW_LENGTH = 8000;

/** What a worker is started with. */
export interface WorkerJob {
  /** The adapterId. */
  readonly id: string;
  /** Folder of the community adapter. */
  readonly folder: string;
  /** What the adapter finds in `process.argv`. */
  readonly home: string;
  /** The instance's properties, secrets in the clear. */
  readonly properties: unknown;
  /** Quietest level that is worth a message. */
  readonly logLevel: LogLevel;
}

/** The data of a worker: its job, and its end of the channel to the host. */
export interface WorkerInput {
  readonly job: WorkerJob;
  readonly port: MessagePort;
}

/** Arguments of `genericAdapterRequest`. */
export interface GenericRequest {
  readonly path: string;
  readonly method: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON; absent when there is none. */
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A body as text; JSON unless it says otherwise. */
export interface GenericBody {
  readonly text: string;
  readonly isJson: boolean;
}

/** What came back from `genericAdapterRequest`. */
export type GenericOutcome =
  | {
      readonly kind: 'response';
      /** `AD.` and the HTTP status. */
      readonly icode: string;
      readonly headers: Readonly<Record<string, unknown>>;
      readonly body: GenericBody;
    }
  | {
      readonly kind: 'error';
      readonly icode: string;
      readonly message: string;
      /** The HTTP status, where the orchestrator answered; below zero where it did not. */
      readonly code?: number;
      readonly body?: GenericBody;
    }
  /** The adapter has no way to ask for such a path. */
  | { readonly kind: 'refused'; readonly message: string };

/** From the host to the worker. */
export type ToWorker =
  | { readonly type: 'call'; readonly id: number; readonly request: GenericRequest }
  | { readonly type: 'ping' };

/** From the worker to the host. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'pong' }
  | { readonly type: 'connection'; readonly state: 'ONLINE' | 'OFFLINE' }
  | { readonly type: 'log'; readonly level: LogLevel; readonly text: string }
  | { readonly type: 'outcome'; readonly id: number; readonly outcome: GenericOutcome };
