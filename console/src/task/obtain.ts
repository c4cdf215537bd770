import { type ApiProblem, problemOf } from '../api/problem.js';
import { engineReady, needsEngine } from '../form/model/index.js';
import { readAddress, type RequestedTask, taskPath } from './address.js';
import { removeDraftsOfOthers } from './local-draft.js';
import { currentUserId, obtainTask, type Task } from './server.js';

/** What the URL of the page asks for, or what is wrong with it. */
export interface PageRequest {
  readonly requested?: RequestedTask;
  readonly addressProblem?: ApiProblem;
}

/** A task, and the id of the user. */
export interface ObtainedTask {
  readonly user: string;
  readonly task: Task;
}

/** Parses the URL of the page. */
export function readRequest(): PageRequest {
  try {
    return { requested: readAddress(window.location) };
  } catch (error) {
    return { addressProblem: problemOf(error) };
  }
}

/**
 * Returns the user and the task. Puts the id of a new task into the URL, so that a reload does not create
 * another one. The engine loads meanwhile; only a form that cannot be shown without it waits.
 */
export async function obtain(requested: RequestedTask): Promise<ObtainedTask> {
  const isReady = engineReady();
  const [user, task] = await Promise.all([currentUserId(), obtainTask(requested)]);
  if (needsEngine(task.schema)) await isReady;
  removeDraftsOfOthers(user);
  if (requested.kind === 'new') window.history.replaceState(null, '', taskPath(task.view, task.id));
  return { user, task };
}
