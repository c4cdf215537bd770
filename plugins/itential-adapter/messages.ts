import type { MessagePort } from 'node:worker_threads';
import type { LogLevel } from '../../src/core/log.js';
import type { WorkerMemory } from './memory-limit.js';

/** Maximum length of a line that leaves a worker, in characters. */
export const RAW_LENGTH = 8000;

/** Start parameters of a worker. */
export interface WorkerJob {
  /** The adapterId. */
  readonly id: string;
  /** Folder of the community adapter. */
  readonly folder: string;
  /** Home folder that the adapter finds in `process.argv`. */
  readonly home: string;
  /** Properties of the instance, with secrets in plaintext. */
  readonly properties: unknown;
  /** Least severe level that is sent to the host. */
  readonly logLevel: LogLevel;
}

/** Worker data: the job, and the port to the host. */
export interface WorkerInput {
  readonly job: WorkerJob;
  /** Maximum of heap and Buffers together, in MiB. */
  readonly memoryMb: number;
  /** Maximum size of a reply, in bytes. */
  readonly replyBytes: number;
  readonly port: MessagePort;
}

/** Arguments of `genericAdapterRequest`. */
export interface GenericRequest {
  readonly path: string;
  readonly method: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON; absent without a body. */
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A call of a method of the adapter, with its arguments in their order. */
export interface MethodRequest {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Text, or its bytes in UTF-8: they are handed over from the worker to the host, which neither copies nor decodes them. */
export type OutcomeText = string | Uint8Array<ArrayBuffer>;

/** A body as text; `isJson` is true if the text is JSON. */
export interface GenericBody {
  readonly text: OutcomeText;
  readonly isJson: boolean;
  /** True if the text may differ from that of the orchestrator in the last digits of integers. */
  readonly isRounded?: true;
}

/** Result of `genericAdapterRequest`, or of a method. */
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
      /** The HTTP status if the orchestrator responded; a negative number otherwise. */
      readonly code?: number;
      readonly body?: GenericBody;
    }
  /** Result of a method, as JSON; `isReply` is true if the result is a reply of the orchestrator. */
  | { readonly kind: 'result'; readonly json: OutcomeText; readonly isReply?: true }
  /** The reply is larger than permitted. */
  | { readonly kind: 'too-large'; readonly maxBytes: number }
  /** The adapter cannot request the path. */
  | { readonly kind: 'refused'; readonly message: string };

/** Message from the host to the worker. */
export type ToWorker =
  | { readonly type: 'call'; readonly id: number; readonly request: GenericRequest | MethodRequest }
  | { readonly type: 'ping' };

/** Message from the worker to the host. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'pong' }
  /** The worker exceeds its memory limit. */
  | { readonly type: 'excess'; readonly memory: WorkerMemory }
  | { readonly type: 'connection'; readonly state: 'ONLINE' | 'OFFLINE' }
  | { readonly type: 'log'; readonly level: LogLevel; readonly text: string }
  | { readonly type: 'outcome'; readonly id: number; readonly outcome: GenericOutcome };

/** Returns a text as a buffer, without a copy of bytes. */
export function bufferOf(text: OutcomeText): Buffer {
  return typeof text === 'string'
    ? Buffer.from(text)
    : Buffer.from(text.buffer, text.byteOffset, text.length);
}
