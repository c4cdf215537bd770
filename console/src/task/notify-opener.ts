import { writeJson } from '../form/model/index.js';
import type { Outcome, Task } from './server.js';

/** Message to the page that opened a task, sent with `postMessage`. */
interface TaskMessage {
  readonly type: 'gatehouse.task';
  /** Id of the task. */
  readonly task: string;
  readonly view: string;
  readonly outcome: Outcome['status'];
  readonly reason: string;
  /** The variable `export` (wire decision 6). */
  readonly export: unknown;
}

/**
 * Sends the decision to the page that opened or embeds this page. Only pages of allowed origins receive it.
 */
export function notifyOpener(task: Task, outcome: Outcome): void {
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
