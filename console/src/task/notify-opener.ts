import { writeJson } from '../form/model/index.js';
import type { Outcome, Task } from './server.js';

/** What the page that opened a task is told, by `postMessage`. */
export interface TaskMessage {
  readonly type: 'gatehouse.task';
  /** Id of the task. */
  readonly task: string;
  readonly view: string;
  readonly outcome: Outcome['status'];
  readonly reason: string;
  /** The variable `export` (wire decision 6). */
  readonly export: unknown;
}

/** Tells whoever opened or frames this page what was decided; only pages of the origins that the server allows hear it. */
export function tellOpener(task: Task, outcome: Outcome): void {
  const message: TaskMessage = {
    type: 'gatehouse.task',
    task: task.id,
    view: task.view,
    outcome: outcome.status,
    reason: outcome.reason,
    export: JSON.parse(writeJson(outcome.export)) as unknown,
  };
  for (const listener of listeners())
    for (const origin of task.messageOrigins)
      listener.postMessage(message, origin === 'self' ? window.location.origin : origin);
}

function listeners(): readonly Window[] {
  const opener = window.opener as Window | null;
  return [...(opener ? [opener] : []), ...(window.parent === window ? [] : [window.parent])];
}
