/** Pages that show a task, by the last segment of their path (wire 4.12). */
export const TASK_VIEWS = ['ShowJsonForm', 'RenderJsonSchema', 'RenderYangForm'] as const;
export type TaskView = (typeof TASK_VIEWS)[number];

/** States of a task. A task is open until a person decides; afterwards it never changes. */
export const TASK_STATES = ['open', 'approved', 'rejected'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** The person, or the holders of a role, whom the requester asks. */
export type TaskAssignee = { readonly subject: string; readonly issuer: string } | { readonly role: string };

/** Who may read a task and act on it, besides its requester and admins. */
export interface TaskAudience {
  readonly assignee: TaskAssignee | null;
  /** Roles whose holders may act on the task; null: every caller whom the operation admits. */
  readonly roles: readonly string[] | null;
}

/** The members of a task that lists show. */
export interface TaskHead extends TaskAudience {
  /** 24 hexadecimal digits; later tasks have higher ids. */
  readonly id: string;
  readonly view: TaskView;
  readonly status: TaskState;
  readonly title: string;
  /** Revision of the task, from 1. */
  readonly revision: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly created: string;
  /** `sub` of the caller who created the task. */
  readonly createdBy: string;
  /** `iss` of the caller who created the task; empty for a task of a version that did not store it. */
  readonly createdByIssuer: string;
  /** Name of the caller for people. */
  readonly createdByName: string;
  readonly lastUpdated: string;
  readonly lastUpdatedBy: string;
  readonly lastUpdatedByIssuer: string;
  readonly lastUpdatedByName: string;
  /** True if the caller who created the task may not approve it. */
  readonly excludeRequester: boolean;
  /** Time by which the requester needs the outcome; null without one. RFC 3339, UTC, milliseconds. */
  readonly due: string | null;
}

export type ToldTask = Pick<TaskHead, 'id' | 'revision' | 'status' | 'lastUpdated' | 'lastUpdatedByName'>;

/** Returns true for an open task after its deadline. Such a task can still be answered. `now` is in milliseconds since 1970. */
export function isOverdue({ status, due }: Pick<TaskHead, 'status' | 'due'>, now: number): boolean {
  return status === 'open' && due !== null && Date.parse(due) < now;
}

/** Reader key of a task that every admitted caller may read. */
export const ANY_READER = '*';

/** Returns the key of a person; the same subject of two issuers is two people. */
export function personKey(issuer: string, subject: string): string {
  return JSON.stringify(['person', issuer, subject]);
}

/** Returns the key of the holders of a role. */
export function roleKey(role: string): string {
  return JSON.stringify(['role', role]);
}

/** Returns the key of the person or role that is asked. */
export function assigneeKeyOf(assignee: NonNullable<TaskHead['assignee']>): string {
  return 'role' in assignee ? roleKey(assignee.role) : personKey(assignee.issuer, assignee.subject);
}
