import type { XmlLimits } from '../../src/yang/encoding/parse-xml.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { Confirmation } from './confirmation.js';
import type { RpcError } from './messages.js';
import type { ServerModule } from './module-list.js';
import type { Plan, ResourceRequest } from './plan-call.js';
import type { RestconfError } from './replies.js';
import type { SchemaText } from './schema-text.js';
import type { StreamEntry } from './stream-list.js';
import type { StreamQuery } from './stream-query.js';
import type { Subscribed } from './subscribe.js';

// The threads read what the server sent: its messages, and its compiled modules. The process has only bytes of them, and the
// bounded results below. All of it is plain data, which is copied between threads.

/** How to read the reply to an operation. */
export type Reading =
  /** Confirmation of an operation that has no output. */
  | { readonly as: 'ok' }
  /** Confirmation of `establish-subscription`. */
  | { readonly as: 'subscription' }
  /** JSON of a data resource, by its path and query below `/restconf/data`. */
  | { readonly as: 'data'; readonly resource: string; readonly query: string }
  /** Number of instances of a data resource. */
  | { readonly as: 'count'; readonly resource: string }
  /** Output of an RPC by its name, or of an action by its path. */
  | { readonly as: 'output'; readonly rpc?: string; readonly resource?: string }
  | { readonly as: 'modules'; readonly list: ModuleListName }
  | { readonly as: 'schema'; readonly name: string }
  | { readonly as: 'streams'; readonly list: StreamListName };

/** Lists of modules: of RFC 8525, RFC 7895 and RFC 6022. */
export type ModuleListName = 'yang-library' | 'modules-state' | 'netconf-state';

/** Lists of event streams: of RFC 5277 and RFC 8639. */
export type StreamListName = 'netconf' | 'streams';

/** Results by the kind of the reading. */
export interface ReadingResults {
  readonly ok: Confirmation;
  readonly subscription: Confirmation;
  readonly data: ReplyBytes;
  readonly count: number;
  readonly output: OutputReply;
  readonly modules: readonly ServerModule[];
  /** Undefined if the text is no module of that name. */
  readonly schema: SchemaText | undefined;
  readonly streams: readonly StreamEntry[];
}

/** Reply to the caller: its status, and its JSON in UTF-8. */
export interface ReplyBytes {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Reply to the caller of an operation, and what the server says about its success. */
export interface OutputReply extends ReplyBytes {
  readonly confirmation: Confirmation;
}

/** Result of a task, or why there is none. */
export type Outcome<T> =
  | { readonly value: T }
  /** An answer with an error report. */
  | { readonly fault: { readonly status: number; readonly errors: readonly RestconfError[] } }
  /** Errors of the server. */
  | { readonly rpcErrors: readonly [RpcError, ...RpcError[]] }
  /** Data that has no JSON form, or a longer one than permitted. */
  | { readonly badReply: string; readonly isTooLarge: boolean };

/** Reads one message of a session. */
export interface ReadTask {
  readonly do: 'read';
  readonly message: Uint8Array;
  readonly limits: XmlLimits;
  /** Calls that wait for a reply, by their message-id. */
  readonly calls: ReadonlyMap<number, Reading>;
  /** Modules of the server; absent before they are known. */
  readonly model: ModelBytes | undefined;
  /** True if somebody listens to notifications. */
  readonly wantsEvents: boolean;
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
}

/** Finds out which operations carry out a request. */
export interface PlanTask {
  readonly do: 'plan';
  readonly model: ModelBytes;
  readonly request: ResourceRequest;
}

/** Makes the operation of a subscription. */
export interface SubscribeTask {
  readonly do: 'subscribe';
  readonly model: ModelBytes;
  readonly subscribed: Subscribed;
  readonly query: StreamQuery;
  readonly capabilities: SubscriptionCapabilities;
}

/** Capabilities that a subscription depends on. */
export interface SubscriptionCapabilities {
  readonly hasNotification: boolean;
  readonly hasXpath: boolean;
  /** Names of the modules in the hello that have to do with subscriptions. */
  readonly modules: readonly string[];
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
