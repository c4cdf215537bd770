import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { TaskView } from '../../src/core/task.js';
import type { Task } from '../../src/features/tasks/task.js';
import { callUrl } from './call.js';
import type { WatchedConsole } from './console-errors.js';

type Site = Pick<WatchedConsole, 'ask' | 'testServer'>;

/** Creates a task that shows a form of a schema, and returns its id and the path of its page. */
export function createTask(site: Site, task: object): Promise<OpenedTask> {
  return openTask(site, 'RenderJsonSchema', { title: 'nso1.example.com: hold-time', ...task });
}

/** A task as the reply to its creation names it. */
interface OpenedTask {
  readonly id: string;
  readonly path: string;
}

export async function openTask({ ask }: Site, view: TaskView, body: object): Promise<OpenedTask> {
  const { id } = (await ask('POST', `/json-forms/task/${view}`, body)) as Task;
  return { id, path: `/json-forms/task/${view}?task=${id}` };
}

export async function storedTask({ ask }: Site, id: string): Promise<Task> {
  return (await ask('GET', `/json-forms/tasks/${id}`)) as Task;
}

/** Saves a draft of a task as another person. */
export async function saveDraftAs(
  { testServer }: Site,
  name: string,
  { id, formData }: { readonly id: string; readonly formData: object },
): Promise<void> {
  const token = testServer.issueTokenFor(name, 'engineering');
  const url = `${testServer.url}/json-forms/tasks/${id}/draft`;
  assert.equal((await callUrl(url, { method: 'PUT', token, body: { formData } })).status, 200);
}

/** Opens the editor of a row of the form with the keyboard, and selects its text. */
export async function editRow(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('row', { name }).click();
  await page.keyboard.press('F2');
  await page.locator('[role=row] :is(input, textarea):focus').waitFor();
  await page.keyboard.press('Control+A');
}

/** Replaces the text of a row of the form with the keyboard. */
export async function writeRow(page: Page, name: RegExp, text: string): Promise<void> {
  await editRow(page, name);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}
