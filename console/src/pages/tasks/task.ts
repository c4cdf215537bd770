import type { TaskHead as ListedTask } from '../../../../src/core/task.js';

/** A task as `GET /json-forms/tasks` lists it. */
export interface TaskHead extends ListedTask {
  /** Path of the task's page. */
  readonly url: string;
}

/** Filters of the task list, as in the URL. */
export interface TaskFilter {
  readonly status: string;
  readonly view: string;
  /** `oldest` or `newest`. */
  readonly order: string;
  /** From 1. */
  readonly page: string;
  readonly [name: string]: string;
}

/** Default filters: open tasks, the oldest first. */
export const DEFAULT_FILTER: TaskFilter = { status: 'open', view: '', order: 'oldest', page: '1' };

/** Tasks on a page. */
export const PAGE_SIZE = 50;

/** Returns the path of one page of the list. The status `all` does not filter. */
export function tasksPath({ status, view, order, page }: TaskFilter): string {
  const skip = (Math.max(Math.trunc(Number(page)) || 1, 1) - 1) * PAGE_SIZE;
  const wanted = {
    ...(status !== 'all' && { status }),
    ...(view !== '' && { view }),
    order: order === 'newest' ? '-1' : '1',
    limit: String(PAGE_SIZE),
    ...(skip > 0 && { skip: String(skip) }),
  };
  return `/json-forms/tasks?${new URLSearchParams(wanted).toString()}`;
}

/** Urgency of an open task. */
export interface Urgency {
  readonly status: 'good' | 'warning' | 'bad';
  readonly word: string;
}

const HOUR_MS = 3_600_000;

/** Returns the urgency of a task by its age: one day is long, three days are too long. */
export function urgencyOf({ created }: Pick<TaskHead, 'created'>, now: number): Urgency {
  const hours = (now - Date.parse(created)) / HOUR_MS;
  if (hours >= 72) return { status: 'bad', word: 'open over 3 days' };
  if (hours >= 24) return { status: 'warning', word: 'open over a day' };
  return { status: 'good', word: 'open' };
}

/** Names of the views that request tasks. */
export const VIEWS: Readonly<Record<string, string>> = {
  RenderJsonSchema: 'JSON Schema',
  RenderYangForm: 'YANG',
  ShowJsonForm: 'stored form',
};
