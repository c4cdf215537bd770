import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { XmlLimits } from '../../src/yang/encoding/parse-xml.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { UnknownNodes } from '../../src/yang/encoding/xml-to-json.js';
import type { RpcError } from './messages.js';
import type { Plan, ResourceRequest } from './plan.js';
import type { Reading } from './reading.js';
import type { RestconfError } from './replies.js';
import type { SubscriptionRequest } from './subscribe.js';

// The threads read what the server sent: its messages, and its compiled modules. The process has only bytes of them, and the
// bounded results below. All of it is plain data, which is copied between threads.

/** Result of a task, or the reason why it has no result. */
export type Outcome<T> =
  | { readonly value: T }
  /** An answer with an error report. */
  | { readonly fault: { readonly status: number; readonly errors: readonly RestconfError[] } }
  /** Errors of the server. */
  | { readonly rpcErrors: readonly [RpcError, ...RpcError[]] }
  /** Data that has no JSON form, because of a node without a schema or not, or a longer one than permitted. */
  | { readonly badReply: string; readonly isTooLarge: boolean; readonly isUnknown: boolean };

/** Reads one message of a session. */
export interface ReadTask {
  readonly do: 'read';
  readonly message: Uint8Array;
  readonly limits: XmlLimits;
  /** Calls that wait for a reply, by their message-id. */
  readonly calls: ReadonlyMap<number, Reading>;
  /** Modules of the server; absent before they are known. */
  readonly model: ModelBytes | undefined;
  /** True if the session has a listener of notifications. */
  readonly wantsEvents: boolean;
  /** What becomes of nodes that the model does not have. */
  readonly unknownNodes: UnknownNodes;
}

/** What a message contains. */
export type MessageContent =
  | { readonly kind: 'hello'; readonly capabilities: readonly string[] | undefined }
  /** `id` is absent if the reply has no message-id, and several calls wait. A reply that no call waits for has no outcome. */
  | { readonly kind: 'reply'; readonly id?: number; readonly outcome?: Outcome<unknown> }
  | { readonly kind: 'event'; readonly event: NotificationJson }
  | { readonly kind: 'other' }
  | { readonly kind: 'invalid'; readonly reason: string; readonly isTooLarge: boolean };

/** Notification as JSON, or why it has none. */
export interface NotificationJson {
  readonly json?: string;
  readonly fault?: string;
  /** True if no other notification follows. */
  readonly isLast: boolean;
  /** Paths of the nodes in it that the model does not have. */
  readonly unknownNodes: readonly string[];
}

/** Finds out which operations carry out a request. */
interface PlanTask {
  readonly do: 'plan';
  readonly model: ModelBytes;
  readonly request: ResourceRequest;
}

/** Makes the operation of a subscription. */
interface SubscribeTask extends SubscriptionRequest {
  readonly do: 'subscribe';
  readonly model: ModelBytes;
}

export type ThreadTask = ReadTask | PlanTask | SubscribeTask;

/** Results by the kind of the task. */
export interface TaskResults {
  readonly read: MessageContent;
  readonly plan: Outcome<Plan>;
  readonly subscribe: Outcome<XmlOutput>;
}

/** Result of a thread with the buffers in it that are handed over; `internalError` is a bug. */
export type ThreadResult =
  | { readonly result: TaskResults[keyof TaskResults]; readonly buffers: readonly ArrayBuffer[] }
  | { readonly internalError: string; readonly buffers: readonly ArrayBuffer[] };
