import type { TaskHead as ListedTask } from '../../../../src/core/task.js';

/** A task as `GET /json-forms/tasks` lists it. */
export interface TaskHead extends ListedTask {
  /** Path of the page that asks. */
  readonly url: string;
}

/** Which tasks are shown; each as it stands in the address. */
export interface TaskFilter {
  readonly status: string;
  readonly view: string;
  /** `oldest` or `newest`. */
  readonly order: string;
  /** From 1. */
  readonly page: string;
  readonly [name: string]: string;
}

/** What one comes for: what waits, the longest first. */
export const PRESET: TaskFilter = { status: 'open', view: '', order: 'oldest', page: '1' };

/** Tasks of a page. */
export const PAGE_SIZE = 50;

/** Path of one page of the list. `all` as a status leaves it open. */
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

/** How urgent an open task is. */
export interface Urgency {
  readonly status: 'good' | 'warning' | 'bad';
  readonly word: string;
}

const HOUR = 3_600_000;

/** How long a task has waited, in a word: a day is long, three are too long. */
export function urgencyOf({ created }: Pick<TaskHead, 'created'>, now: number): Urgency {
  const hours = (now - Date.parse(created)) / HOUR;
  if (hours >= 72) return { status: 'bad', word: 'waits over 3 days' };
  if (hours >= 24) return { status: 'warning', word: 'waits over a day' };
  return { status: 'good', word: 'open' };
}

/** The pages that ask, in words. */
export const VIEWS: Readonly<Record<string, string>> = {
  RenderJsonSchema: 'JSON Schema',
  RenderYangForm: 'YANG',
  ShowJsonForm: 'kept form',
};
