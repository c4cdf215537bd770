import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { callUrl } from './call.js';
import type { WatchedConsole } from './console-errors.js';

type Site = Pick<WatchedConsole, 'ask' | 'testServer'>;

/** Creates a task that shows a form of a schema, and returns its id and the path of its page. */
export async function createTask(
  { ask }: Site,
  task: object,
): Promise<{ readonly id: string; readonly path: string }> {
  const body = { title: 'nso1.example.com: hold-time', ...task };
  const { id } = (await ask('POST', '/json-forms/task/RenderJsonSchema', body)) as { readonly id: string };
  return { id, path: `/json-forms/task/RenderJsonSchema?task=${id}` };
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
