import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { Reading } from './reading.js';
import type { ReplyBytes } from './replies.js';

/** A request for a resource of the server, by its path below the root of RESTCONF. */
export interface ResourceRequest {
  readonly kind: 'data' | 'datastore' | 'operations' | 'yang-library-version';
  readonly method: string;
  /** Path below the kind. */
  readonly rest: string;
  readonly query: string;
  readonly body: Uint8Array | undefined;
  /** Modes of with-defaults that the server has. */
  readonly defaultsModes: readonly string[];
}

/** What carries out a request: an answer that needs no operation, a read, an rpc or action by its name, or a change. */
export type Plan =
  | { readonly do: 'answer'; readonly reply: ReplyBytes }
  | {
      readonly do: 'read';
      readonly operation: XmlOutput;
      readonly reading: Extract<Reading, { as: 'data' }>;
    }
  | {
      readonly do: 'invoke';
      readonly name: string;
      readonly operation: XmlOutput;
      readonly reading: Extract<Reading, { as: 'output' }>;
    }
  | { readonly do: 'edit'; readonly edit: EditPlan };

/** Place of a new or changed entry in a list that the user orders (RFC 8040 sections 4.8.5 and 4.8.6). */
export type InsertParameters =
  | { readonly insert: 'first' | 'last' }
  /** `point` is the path of the entry, which is relative to the datastore. */
  | { readonly insert: 'before' | 'after'; readonly point: string };

/** Methods of a change (RFC 8040 sections 4.4 to 4.7). */
export type EditMethod = 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/** A data resource: its path, and the filter that selects it. */
export interface ResourceFilter {
  readonly resource: string;
  readonly filter: readonly XmlOutput[];
}

/** A change as plain data: what must exist, and what `edit-config` sends. */
export interface EditPlan {
  readonly method: EditMethod;
  /** The resource that is changed; absent for a new one, and for the whole datastore. */
  readonly target?: ResourceFilter;
  /** Why the change is refused if the target does not exist; absent if the change creates the target. */
  readonly missing?: string;
  /** Nearest list entry or presence container around a resource that does not exist: a merge would create it. */
  readonly parent?: ResourceFilter;
  readonly content: readonly XmlOutput[];
  readonly defaultOperation: 'merge' | 'replace' | 'none';
  /** Path of the resource that the change creates. */
  readonly location?: string;
}
