import { LOCAL_ISSUER } from '../../../../src/core/principal.js';
import { isOverdue, type TaskHead as ListedTask } from '../../../../src/core/task.js';

/** A task as `GET /json-forms/tasks` lists it. */
export interface TaskHead extends ListedTask {
  /** Path of the task's page. */
  readonly url: string;
}

/** Filters of the task list, as in the URL. */
export interface TaskFilter {
  readonly status: string;
  readonly view: string;
  /** Empty: any deadline; or `overdue`. */
  readonly due: string;
  /** `own`, `due`, `oldest` or `newest`. */
  readonly order: string;
  /** From 1. */
  readonly page: string;
  readonly [name: string]: string;
}

/** Default filters: open tasks, those of the person first. */
export const DEFAULT_FILTER: TaskFilter = { status: 'open', view: '', due: '', order: 'own', page: '1' };

/** Parameters of the orders of the list. */
const ORDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  due: { sort: 'due' },
  oldest: { sort: 'created', order: '1' },
  newest: { sort: 'created', order: '-1' },
};

/** Tasks on a page. */
export const PAGE_SIZE = 50;

/** Returns the path of one page of the list. The status `all` does not filter. */
export function tasksPath({ status, view, due, order, page }: TaskFilter): string {
  const skip = (Math.max(Math.trunc(Number(page)) || 1, 1) - 1) * PAGE_SIZE;
  const wanted = {
    ...(status !== 'all' && { status }),
    ...(view !== '' && { view }),
    ...(due === 'overdue' && { overdue: 'true' }),
    ...(ORDERS[order] ?? { sort: 'own' }),
    limit: String(PAGE_SIZE),
    ...(skip > 0 && { skip: String(skip) }),
  };
  return `/json-forms/tasks?${new URLSearchParams(wanted).toString()}`;
}

/** Urgency of an open task. */
export type Urgency = 'open' | 'overOneDay' | 'overThreeDays' | 'overdue';

const HOUR_MS = 3_600_000;

/** Returns the urgency of an open task: by its deadline, or by its age if it has none. */
export function urgencyOf(task: Pick<TaskHead, 'created' | 'due' | 'status'>, now: number): Urgency {
  if (task.due !== null) return isOverdue(task, now) ? 'overdue' : 'open';
  const hours = (now - Date.parse(task.created)) / HOUR_MS;
  if (hours >= 72) return 'overThreeDays';
  return hours >= 24 ? 'overOneDay' : 'open';
}

/** The current user, as `GET /whoami` returns it. */
export interface Reader {
  readonly subject: string;
  /** `local_aaa` for the built-in issuer; otherwise the issuer. */
  readonly provenance: string;
  readonly groups: readonly { readonly name: string }[];
}

/** Returns true if the task is assigned to the person, or to one of the roles of the person. */
export function isAssignedTo({ assignee }: Pick<TaskHead, 'assignee'>, reader: Reader): boolean {
  if (assignee === null) return false;
  if ('role' in assignee) return reader.groups.some(({ name }) => name === assignee.role);
  const isLocal = reader.provenance === 'local_aaa' && assignee.issuer === LOCAL_ISSUER;
  return assignee.subject === reader.subject && (isLocal || assignee.issuer === reader.provenance);
}

/** Keys of the names of the views that request tasks. */
export const VIEWS = {
  RenderJsonSchema: 'viewJsonSchema',
  RenderYangForm: 'viewYang',
  ShowJsonForm: 'viewSavedForm',
} as const;
