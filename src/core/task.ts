/** The pages that ask a person, by the last segment of their path (wire 4.12). */
export const TASK_VIEWS = ['ShowJsonForm', 'RenderJsonSchema', 'RenderYangForm'] as const;
export type TaskView = (typeof TASK_VIEWS)[number];

/** A task is open until a person has decided; then it never changes again. */
export const TASK_STATES = ['open', 'approved', 'rejected'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** What a list tells of a task. */
export interface TaskHead {
  /** 24 hexadecimal digits; later tasks have higher ones. */
  readonly id: string;
  readonly view: TaskView;
  readonly status: TaskState;
  /** For people. */
  readonly title: string;
  /** Counts the states of the task, from 1. */
  readonly revision: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly created: string;
  /** `sub` of the caller who opened it. */
  readonly createdBy: string;
  readonly lastUpdated: string;
  readonly lastUpdatedBy: string;
}

/** What a person is asked: a form, and the data that it begins with. Stays the same for the life of the task. */
export interface Question {
  readonly schema: object | boolean;
  readonly uiSchema: object;
  readonly bindingSchema: object;
  readonly validationSchema: object;
  readonly formData: unknown;
  /** URI of the draft of JSON Schema that is applied. */
  readonly dialect: string;
  /** What the schema cannot say of the YANG that it was made from. */
  readonly warnings: readonly object[];
  /** Origin of the page that waits for the outcome; null: any that the configuration allows. */
  readonly returnTo: string | null;
}

/** Data that a person has not decided on yet. */
export interface TaskDraft {
  readonly formData: unknown;
  readonly by: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** What a person decided. */
export interface TaskOutcome {
  readonly status: Exclude<TaskState, 'open'>;
  /** Never empty for a rejection. */
  readonly reason: string;
  /** The variable that goes back (wire decision 6); for a rejection whatever was sent, or null. */
  readonly export: unknown;
  readonly by: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** SHA-256 of the export as canonical JSON (RFC 8785), in hexadecimal digits. */
  readonly hash: string;
}

/** A question to a person, and what became of it (specification 4.4, wire 4.12). */
export interface Task extends TaskHead, Question {
  readonly draft: TaskDraft | null;
  readonly outcome: TaskOutcome | null;
}

/** Which tasks are asked for; what is absent does not matter. */
export interface TaskQuery {
  readonly status?: TaskState;
  readonly view?: TaskView;
  readonly skip: number;
  readonly limit: number;
  /** 1: the oldest first; -1: the newest. */
  readonly order: 1 | -1;
}

/**
 * Keeps tasks. Every write is one transaction that survives a crash and a power failure once it has resolved. Throws
 * `store_unavailable` or `store_full` when the database does not take part.
 */
export interface TaskStore {
  /** Keeps a new task. Beyond `maxTasks` those that were finished first go; throws `too_many_tasks` where there are none. */
  open(task: Task, maxTasks: number): Promise<void>;
  find(id: string): Promise<Task | undefined>;
  /** One page of them, and how many there are. */
  list(query: TaskQuery): Promise<{ readonly results: readonly TaskHead[]; readonly total: number }>;
  /**
   * Replaces a task by what `change` makes of it, and counts its revision; `undefined` when there is none. Changes of one
   * task come one after the other; one whose `change` throws does nothing.
   */
  update(id: string, change: (task: Task) => Task): Promise<Task | undefined>;
}

/** The part of a task that a list tells. */
export function taskHead(task: Task): TaskHead {
  const { id, view, status, title, revision, created, createdBy, lastUpdated, lastUpdatedBy } = task;
  return { id, view, status, title, revision, created, createdBy, lastUpdated, lastUpdatedBy };
}

/** Path of the page of a task. */
export function taskUrl({ id, view }: Pick<TaskHead, 'id' | 'view'>): string {
  return `/json-forms/task/${view}?task=${id}`;
}
