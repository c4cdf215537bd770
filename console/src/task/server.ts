import { request } from '../api/request.js';
import { type Json, readJson, writeJson } from '../form/model/index.js';
import type { RequestedTask } from './address.js';

/** The decision about a task. */
export interface Outcome {
  readonly status: 'approved' | 'rejected';
  readonly reason: string;
  readonly export: Json;
  readonly by: string;
  /** Name of `by` for people; absent in outcomes of earlier versions. */
  readonly byName?: string;
  /** RFC 3339. */
  readonly at: string;
  /** SHA-256 of the export, in hexadecimal. */
  readonly hash: string;
}

/** A task as the server returns it; the numbers in its documents keep all digits. */
export interface Task {
  readonly id: string;
  readonly view: string;
  readonly title: string;
  readonly status: 'open' | 'approved' | 'rejected';
  readonly revision: number;
  readonly schema: unknown;
  readonly uiSchema: unknown;
  readonly bindingSchema: unknown;
  readonly formData: Json;
  readonly dialect: string;
  /** Origins that may receive the outcome; `self` is the page's own origin. */
  readonly messageOrigins: readonly string[];
  readonly created: string;
  readonly createdBy: string;
  readonly createdByName: string;
  readonly lastUpdated: string;
  readonly lastUpdatedBy: string;
  readonly lastUpdatedByName: string;
  readonly draft: {
    readonly formData: Json;
    readonly by: string;
    readonly byName?: string;
    readonly at: string;
  } | null;
  readonly outcome: Outcome | null;
}

/** Returns the id of the current user. Throws an ApiProblem. */
export async function currentUserId(): Promise<string> {
  return (await request<{ readonly id: string }>({ path: '/whoami' })).data.id;
}

/** Returns the task that a URL requests; creates a new task. Throws an ApiProblem. */
export async function obtainTask(requested: RequestedTask): Promise<Task> {
  const reply =
    requested.kind === 'task'
      ? await request({ path: `/json-forms/tasks/${encodeURIComponent(requested.id)}` })
      : await request({
          method: 'POST',
          path: `/json-forms/task/${encodeURIComponent(requested.view)}`,
          body: requested.variables,
        });
  return readTask(reply.text);
}

/** Saves the entered data as a draft. Throws an ApiProblem: 412 if another user saved the task first. */
export async function saveDraft(task: Task, formData: Json): Promise<Task> {
  const reply = await request({
    method: 'PUT',
    path: `/json-forms/tasks/${task.id}/draft`,
    ifMatch: `"${task.revision}"`,
    json: writeJson({ formData }),
  });
  return readTask(reply.text);
}

/** A decision; a rejection has a reason. */
export interface Decision {
  readonly outcome: 'approved' | 'rejected';
  readonly reason?: string;
}

/**
 * Completes a task. Throws an ApiProblem with the faults of the data, or with 412 if another user saved the
 * task first.
 */
export async function decide(task: Task, formData: Json, { outcome, reason }: Decision): Promise<Task> {
  const reply = await request({
    method: 'POST',
    path: `/json-forms/tasks/${task.id}/outcome`,
    ifMatch: `"${task.revision}"`,
    json: writeJson({ outcome, formData, ...(reason !== undefined && { reason }) }),
  });
  return readTask(reply.text);
}

function readTask(text: string): Task {
  return readJson(text) as unknown as Task;
}
