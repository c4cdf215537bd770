import { request } from '../api/request.js';
import { type Json, readJson, writeJson } from '../form/model/index.js';
import type { RequestedTask } from './address.js';

/** What became of a task. */
export interface Outcome {
  readonly status: 'approved' | 'rejected';
  readonly reason: string;
  readonly export: Json;
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
  /** SHA-256 of the export, in hexadecimal digits. */
  readonly hash: string;
}

/** A task as the server tells it; its documents with all their digits. */
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
  /** Origins that may be told the outcome; `self` is the page's own. */
  readonly messageOrigins: readonly string[];
  readonly created: string;
  readonly createdBy: string;
  readonly lastUpdated: string;
  readonly lastUpdatedBy: string;
  readonly draft: { readonly formData: Json; readonly by: string; readonly at: string } | null;
  readonly outcome: Outcome | null;
}

/** Id of whoever is signed in. Throws an ApiProblem. */
export async function whoIsHere(): Promise<string> {
  return (await request<{ readonly id: string }>({ path: '/whoami' })).data.id;
}

/** Opens the task that an address asks for, or finds it. Throws an ApiProblem. */
export async function obtainTask(asked: RequestedTask): Promise<Task> {
  const reply =
    asked.kind === 'task'
      ? await request({ path: `/json-forms/tasks/${encodeURIComponent(asked.id)}` })
      : await request({
          method: 'POST',
          path: `/json-forms/task/${encodeURIComponent(asked.view)}`,
          body: asked.variables,
        });
  return readTask(reply.text);
}

/** Keeps what was filled in so far. Throws an ApiProblem: 412 when somebody else was faster. */
export async function saveDraft(task: Task, formData: Json): Promise<Task> {
  const reply = await request({
    method: 'PUT',
    path: `/json-forms/tasks/${task.id}/draft`,
    ifMatch: `"${task.revision}"`,
    json: writeJson({ formData }),
  });
  return readTask(reply.text);
}

/** A decision: rejections have a reason. */
export interface Decision {
  readonly outcome: 'approved' | 'rejected';
  readonly reason?: string;
}

/** Ends a task. Throws an ApiProblem with the faults of the data, or 412 when somebody else was faster. */
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
