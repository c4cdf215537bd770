import type { DraftChange, Task as StoredTask } from '../../../src/features/tasks/task.js';
import { queriedAdapter } from '../../../src/form-model/form-binding.js';
import { pointerTo, pointerTokens } from '../../../src/json/pointer.js';
import { ApiProblem } from '../api/problem.js';
import { loadSubtreesFrom, request } from '../api/request.js';
import {
  type DependedValues,
  type FormBinding,
  isMembers,
  type Json,
  readJson,
  writeJson,
} from '../form/model/index.js';
import type { LoadSubtrees } from '../form/view/subtree-loader.js';
import type { RequestedTask } from './address.js';
import { text } from './task-text.js';

export type { DraftChange };

/** The decision about a task. */
export interface Outcome extends Omit<NonNullable<StoredTask['outcome']>, 'export' | 'byIssuer'> {
  readonly export: Json;
}

/** Data that a person has saved before the decision. */
interface Draft extends Omit<NonNullable<StoredTask['draft']>, 'formData' | 'byIssuer'> {
  readonly formData: Json;
}

type TaskFacts = Pick<
  StoredTask,
  | ('id' | 'view' | 'title' | 'status' | 'revision' | 'due' | 'dialect')
  | ('created' | 'createdBy' | 'createdByName' | 'lastUpdated' | 'lastUpdatedBy' | 'lastUpdatedByName')
>;

/** A task as the server returns it; the numbers in its documents keep all digits. */
export interface Task extends TaskFacts {
  readonly schema: unknown;
  readonly uiSchema: unknown;
  /** True if the schema and the uiSchema have only a part of their objects. */
  readonly partial?: boolean;
  readonly bindingSchema: unknown;
  readonly formData: Json;
  /** Origins that may receive the outcome; `self` is the page's own origin. */
  readonly messageOrigins: readonly string[];
  readonly draft: Draft | null;
  readonly outcome: Outcome | null;
}

/** Returns the id of the current user. Throws an ApiProblem. */
export async function currentUserId(): Promise<string> {
  return (await request<{ readonly id: string }>({ path: '/whoami' })).data.id;
}

/** Query of requests that return a task: a large schema is returned in part. */
const PARTIAL = '?schema=partial';

/** Returns the task that a URL requests; creates a new task. Throws an ApiProblem. */
export async function obtainTask(requested: RequestedTask): Promise<Task> {
  const reply =
    requested.kind === 'task'
      ? await request({ path: `/json-forms/tasks/${encodeURIComponent(requested.id)}${PARTIAL}` })
      : await request({
          method: 'POST',
          path: `/json-forms/task/${encodeURIComponent(requested.view)}${PARTIAL}`,
          body: requested.variables,
        });
  return readTask(reply.text);
}

/** Saves the entered data as a draft. Throws an ApiProblem: 412 if another user saved the task first. */
export async function saveDraft(task: Task, formData: Json): Promise<Task> {
  const reply = await request({
    method: 'PUT',
    path: `/json-forms/tasks/${task.id}/draft${PARTIAL}`,
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
    path: `/json-forms/tasks/${task.id}/outcome${PARTIAL}`,
    ifMatch: `"${task.revision}"`,
    json: writeJson({ outcome, formData, ...(reason !== undefined && { reason }) }),
  });
  return readTask(reply.text);
}

/** Returns the function that loads parts of the schema of a task. It throws an ApiProblem. */
export function subtreesOf(id: string): LoadSubtrees {
  return loadSubtreesFrom(`/json-forms/tasks/${encodeURIComponent(id)}/subtrees`);
}

function readTask(text: string): Task {
  return readJson(text) as unknown as Task;
}

interface Choices {
  readonly choices: readonly { readonly value: Json; readonly label: string }[];
}

/**
 * Returns the function that asks for the choices of a bound field of a task. The server sends the query under the
 * grant of the form's author. The returned document has the choices at the pointers of the binding's source.
 */
export function choicesOf(task: string): (binding: FormBinding, values: DependedValues) => Promise<Json> {
  return async (binding, values) => {
    if (queriedAdapter(binding) === undefined)
      throw new Error(text('bindingNotAllowed', { method: binding.method, href: binding.href }));
    try {
      const path = `/json-forms/tasks/${encodeURIComponent(task)}/choices`;
      const reply = await request({ method: 'POST', path, body: { field: binding.path, values } });
      return replyWith((readJson(reply.text) as unknown as Choices).choices, binding.source);
    } catch (error) {
      throw error instanceof ApiProblem ? new Error(reasonOf(error)) : error;
    }
  };
}

function reasonOf({ code, message }: ApiProblem): string {
  if (code === 'binding_not_granted') return text('bindingNotGranted', { reason: message });
  if (code === 'invalid_request') return text('choicesValueRefused', { reason: message });
  return code === 'too_many_requests' ? text('choicesTooMany') : text('choicesFailed', { reason: message });
}

/** Returns a document with the choices at the pointers of the source. */
function replyWith(choices: Choices['choices'], source: FormBinding['source']): Json {
  const entries = choices.map((choice) => {
    // The pointer of the value is that of the label where the binding names one alone: the value decides.
    const labelled = withValueAt({}, source.label, choice.label);
    return source.value === '' ? choice.value : withValueAt(labelled, source.value, choice.value);
  });
  return withValueAt({}, source.values, entries);
}

/** Returns the document with a value at a pointer; creates the objects on the way. */
function withValueAt(document: Json, pointer: string, value: Json): Json {
  const [name, ...rest] = pointerTokens(pointer);
  if (name === undefined) return value;
  const members = isMembers(document) ? document : {};
  const inner = Object.hasOwn(members, name) ? members[name] : undefined;
  const path = rest.reduce((parent, token) => pointerTo(parent, token), '');
  return { ...members, [name]: withValueAt(inner ?? {}, path, value) };
}
