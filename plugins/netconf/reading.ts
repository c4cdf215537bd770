import type { Confirmation } from './confirmation.js';
import type { ModuleListName, ServerModule } from './modules-in.js';
import type { ReplyBytes } from './replies.js';
import type { SchemaText } from './schema-text.js';
import type { StreamEntry, StreamListName } from './streams-in.js';

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

/** Results by the kind of the reading. */
export interface ReadingResults {
  readonly ok: Confirmation;
  readonly subscription: Confirmation;
  readonly data: ReplyBytes & { readonly warnings: readonly string[] };
  readonly count: number;
  readonly output: OutputReply;
  readonly modules: readonly ServerModule[];
  /** Undefined if the text is no module of that name. */
  readonly schema: SchemaText | undefined;
  readonly streams: readonly StreamEntry[];
}

/** Reply to the caller of an operation, and what the server says about its success. */
export interface OutputReply extends ReplyBytes {
  readonly confirmation: Confirmation;
}
