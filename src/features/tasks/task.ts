import type { AddressedCall } from '../../core/access-decision.js';
import type { CallBinding } from '../../core/adapter-method.js';
import type { Principal } from '../../core/principal.js';
import {
  type TaskView,
  type TaskState,
  type TaskHead,
  type ToldTask,
  ANY_READER,
  personKey,
  roleKey,
  assigneeKeyOf,
} from '../../core/task.js';
import type { BindingGrant } from '../forms/form-store.js';

/** The question to a person: a form and its initial data. Never changes. */
export interface Question {
  readonly schema: object | boolean;
  readonly uiSchema: object;
  readonly bindingSchema: object;
  /** Who lets this task send the queries of its bindings; null: nobody. Absent in tasks of earlier versions. */
  readonly bindingGrant?: BindingGrant | null;
  readonly validationSchema: object;
  readonly formData: unknown;
  /** URI of the applied draft of JSON Schema. */
  readonly dialect: string;
  /** Rules of the YANG modules that the schema cannot express. */
  readonly warnings: readonly object[];
  /** Origin of the page that receives the outcome; null: any origin that the configuration allows. */
  readonly returnTo: string | null;
}

/** What one person changed in a draft at one time. */
export interface DraftChange {
  readonly by: string;
  readonly byIssuer: string;
  readonly byName: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /**
   * JSON pointers into the draft: changed values, added members and entries, the pointers of removed members, and lists
   * whose entries were removed or moved.
   */
  readonly pointers: readonly string[];
}

/** Data that a person has saved before the decision. */
export interface TaskDraft {
  readonly formData: unknown;
  readonly by: string;
  readonly byIssuer: string;
  /** Name of the caller for people; absent in a draft of a version that did not store it. */
  readonly byName?: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Who changed which part of the draft last; absent in a draft of a version that did not store it. */
  readonly changes?: readonly DraftChange[];
}

/** Decision of a person. */
interface TaskOutcome {
  readonly status: Exclude<TaskState, 'open'>;
  /** Never empty for a rejection. */
  readonly reason: string;
  /** Result for the caller (wire decision 6). For a rejection, the submitted data or null. */
  readonly export: unknown;
  readonly by: string;
  readonly byIssuer: string;
  /** Name of the caller for people; absent in an outcome of a version that did not store it. */
  readonly byName?: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** SHA-256 of the export as canonical JSON (RFC 8785), in hexadecimal digits. */
  readonly hash: string;
}

/** How the approval of a proposed call is sealed, and whether it was used. Tasks of earlier versions lack the optional members. */
interface TaskProposal {
  /** Key of the seal. It never leaves the store. */
  readonly key: string;
  readonly call?: AddressedCall;
  readonly binding?: CallBinding;
  /** Roles of the approver at the approval; absent until then. */
  readonly approverRoles?: readonly string[];
  /** RFC 3339, UTC, milliseconds; null until the call is carried out. */
  readonly usedAt: string | null;
}

/** A question to a person, and its outcome (specification 4.4, wire 4.12). */
export interface Task extends TaskHead, Question {
  /** Absent unless the task approves a call. */
  readonly proposal?: TaskProposal;
  readonly draft: TaskDraft | null;
  readonly outcome: TaskOutcome | null;
}

/** Filters for tasks; an absent member does not filter. */
export interface TaskFilter {
  readonly status?: TaskState;
  readonly view?: TaskView;
  /** Reader keys of the caller, of which a listed task has at least one. */
  readonly readers?: readonly string[];
  /** Time at which a listed task is open and overdue; as `due`, like the next two. */
  readonly overdueAt?: string;
  /** The deadline of a listed task is before this time. */
  readonly dueBefore?: string;
  /** The deadline of a listed task is at this time or later. */
  readonly dueFrom?: string;
}

/**
 * Order of a list. `created` and `due` sort by these times: 1 ascending, -1 descending; tasks without a deadline come
 * last. `own` puts the open tasks that are assigned to the person or to a role of the person first, then those that
 * the person may answer, then all other open tasks, each part by deadline and then the oldest first; finished tasks
 * come last, the latest decision first.
 */
export type TaskOrder =
  | { readonly by: 'created' | 'due'; readonly direction: 1 | -1 }
  | { readonly by: 'own'; readonly caller: TaskPerson };

/** The keys of a caller among the keys of readers and assignees. */
export interface TaskPerson {
  readonly person: string;
  readonly roles: readonly string[];
}

export interface TaskQuery extends TaskFilter {
  readonly skip: number;
  readonly limit: number;
  readonly order: TaskOrder;
}

/**
 * Limits of the stored tasks. Open tasks and finished tasks are counted apart, so that neither displaces the
 * other.
 */
export interface TaskQuotas {
  /** Maximum number of open tasks, and of finished tasks. */
  readonly maxTasks: number;
  /** Maximum number of open tasks of one requester. A requester never has more than half of `maxTasks`. */
  readonly maxOpenPerSubject: number;
  /**
   * Maximum size in bytes of all open tasks, and of all finished tasks. A requester never has more than half
   * of it for open tasks.
   */
  readonly maxTotalBytes: number;
}

/**
 * Stores tasks. Every write is one transaction, which survives a crash and a power failure once its promise
 * has resolved. Throws `store_unavailable` or `store_full` if the database fails.
 */
export interface TaskStore {
  /** Stores a new task. Throws `too_many_tasks` if the open tasks exceed a quota. */
  open(task: Task, quotas: TaskQuotas): Promise<void>;
  find(id: string): Promise<Task | undefined>;
  /** Returns a task as lists show it, without reading its documents. */
  findHead(id: string): Promise<TaskHead | undefined>;
  /** Returns one page of tasks, and the total number of matching tasks. */
  list(query: TaskQuery): Promise<{ readonly results: readonly TaskHead[]; readonly total: number }>;
  /**
   * Replaces a task with the result of `change`, and increments its revision. Returns `undefined` if the task
   * does not exist. Changes of one task run one after the other; a `change` that throws has no effect. Throws
   * `too_many_tasks` if an open task grows and the open tasks exceed a quota. If finished tasks exceed a
   * quota, removes the oldest finished tasks of the requester who has the most.
   */
  update(id: string, change: (task: Task) => Task, quotas: TaskQuotas): Promise<Task | undefined>;
}

export function toldTask({ id, revision, status, lastUpdated, lastUpdatedByName }: ToldTask): ToldTask {
  return { id, revision, status, lastUpdated, lastUpdatedByName };
}

export function taskHead(task: Task): TaskHead {
  const { id, view, status, title, revision, created, createdBy, createdByIssuer, createdByName } = task;
  const { lastUpdated, lastUpdatedBy, lastUpdatedByIssuer, lastUpdatedByName } = task;
  const { assignee, roles, excludeRequester, due } = task;
  return {
    id,
    view,
    status,
    title,
    revision,
    created,
    createdBy,
    createdByIssuer,
    createdByName,
    lastUpdated,
    lastUpdatedBy,
    lastUpdatedByIssuer,
    lastUpdatedByName,
    assignee,
    roles,
    excludeRequester,
    due,
  };
}

export function taskUrl({ id, view }: Pick<TaskHead, 'id' | 'view'>): string {
  return `/json-forms/task/${view}?task=${id}`;
}

/** Identity of the requester of a task. The same subject of two issuers is two people. */
export function requesterKeyOf({ createdBy, createdByIssuer }: TaskHead): string {
  return personKey(createdByIssuer, createdBy);
}

/** Returns the keys of a task's readers: its requester, its assignee and its roles. */
export function readerKeysOf(task: TaskHead): readonly string[] {
  const { assignee, roles } = task;
  return [
    requesterKeyOf(task),
    ...(assignee === null ? [] : [assigneeKeyOf(assignee)]),
    ...(roles === null ? [ANY_READER] : roles.map(roleKey)),
  ];
}

/**
 * Returns the keys of a caller, who may read the tasks with one of these keys; undefined for an admin, who may
 * read every task.
 */
export function callerReaderKeys(principal: Principal | undefined): readonly string[] | undefined {
  if (!principal) return [ANY_READER];
  if (principal.roles.includes('admin')) return undefined;
  const { person, roles } = taskPersonOf(principal);
  return [ANY_READER, person, ...roles];
}

/** Returns the keys of a caller, by which a list finds the caller's own tasks. */
export function taskPersonOf({ issuer, subject, roles }: Principal): TaskPerson {
  return { person: personKey(issuer, subject), roles: roles.map(roleKey) };
}

/** Returns true if the caller may read the task and act on it. */
export function mayAccessTask(task: TaskHead, principal: Principal | undefined): boolean {
  const keys = callerReaderKeys(principal);
  return keys === undefined || readerKeysOf(task).some((key) => keys.includes(key));
}

/** Returns true if the caller opened the task. */
export function isRequester(task: Task, principal: Principal | undefined): boolean {
  return principal !== undefined && personKey(principal.issuer, principal.subject) === requesterKeyOf(task);
}
