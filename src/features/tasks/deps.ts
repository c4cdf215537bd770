import type { RequireCallAccess } from '../../core/access-decision.js';
import type { Call } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import type { TaskHead } from '../../core/task.js';
import type { SchemaIndex } from '../../form-model/schema-index.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { TaskSettings } from '../../settings/forms.js';
import type { JsonFormsDeps } from '../forms/deps.js';
import type { Task, TaskStore } from './task.js';

export interface TasksDeps extends Pick<JsonFormsDeps, 'forms' | 'validator' | 'yang' | 'grants' | 'now'> {
  readonly tasks: TaskStore;
  readonly schemaIndexes: SchemaIndexes;
  /** Returns the limits of the current configuration. */
  readonly taskLimits: () => TaskLimits;
  /** Sends the query of a bound field. */
  readonly queryChoices: QueryChoices;
  readonly taskEvents: TaskEvents;
  /** Checks that a person may approve a proposed call. */
  readonly requireCallAccess: RequireCallAccess;
  /** Creates a unique id of 24 hexadecimal digits. */
  readonly newTaskId: () => string;
  /**
   * Returns the HTML that all three task views share; it contains no data of a task. Throws `not_ready` if
   * the page is not built, and `not_found` if the pages are disabled.
   */
  readonly taskPage: () => Promise<string>;
}

/** The schemas of tasks that are large, divided into subtrees. */
export interface SchemaIndexes {
  /** Returns the index of a task that was read before, while it is in memory. */
  readonly known: (id: string) => SchemaIndex | undefined;
  /** Returns the index of a task; undefined if the schema is small, has bindings, or cannot be divided. */
  readonly of: (task: Task) => SchemaIndex | undefined;
}

/** A query of a bound field, and who sends it. */
export interface ChoicesQuery {
  readonly adapterId: string;
  readonly params: { readonly path: string; readonly accept: string };
  /** The author of the form, or the caller. */
  readonly sender: Principal;
}

/**
 * Sends a query as `restQuery` does, and returns the value of its reply. Equal queries of the same sender are
 * answered from memory for some seconds. Throws `too_many_requests` for a caller with too many queries, and the
 * Problems of `restQuery`.
 */
export type QueryChoices = (query: ChoicesQuery, call: Call) => Promise<unknown>;

/** A person who has a task open. */
export interface TaskListener {
  readonly principal: Principal;
  /** Fires when the client leaves. */
  readonly signal: CancelSignal;
}

/** Sends the changes of a task, and who has it open, to the people who have it open at this node. */
export interface TaskEvents {
  /** Returns the events of a task until the signal fires. Throws `too_many_listeners`. */
  readonly listen: (task: TaskHead, listener: TaskListener) => AsyncIterable<string>;
  /** Sends the new state of a task to its listeners. */
  readonly publish: (task: TaskHead) => void;
}

/** Limits that the operator configures. */
interface TaskLimits extends TaskSettings {
  /** Maximum size of a task, in bytes of JSON. */
  readonly maxBytes: number;
}
