import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { consoleFor, describePages } from '../support/console-errors.js';
import { dialogOf, press, seen } from '../support/page-text.js';
import { createTask, storedTask } from '../support/task-page.js';
import { eventually } from '../support/until.js';

const PORTS = {
  type: 'object',
  properties: {
    ports: {
      title: 'Ports',
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', title: 'Name', pattern: '^xe-' },
          mtu: { type: 'integer', title: 'MTU', minimum: 68, maximum: 9216 },
        },
      },
    },
  },
};

/** A table as spreadsheets copy it: 201 ports, of which the 5th and the 150th have a wrong MTU. */
const ROWS = Array.from(
  { length: 201 },
  (_, at) => `xe-0/0/${at + 1}\t${[5, 150].includes(at + 1) ? 10 : 1500}`,
);
const TABLE = `name\tmtu\tcolour\r\n${ROWS.map((row) => `${row}\tred`).join('\r\n')}\r\n`;

describePages('a table of 201 rows that is pasted into a list of a task', function () {
  const site = consoleFor(this);

  const openPorts = async () => {
    const { id, path } = await createTask(site, {
      jsonSchema: PORTS,
      formData: { ports: [{ name: 'xe-9/9/9' }] },
    });
    const { page } = await site.look(path, { role: 'engineering' });
    return { page, saved: () => storedTask(site, id) };
  };
  const pasteTable = async (page: Page): Promise<void> => {
    await page.getByRole('row', { name: /Ports/ }).first().focus();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(TABLE)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
    const dialog = await dialogOf(page);
    await seen(dialog, 'Add 201 rows to Ports?');
    await seen(dialog, /colour/);
    await press(dialog, 'Add rows');
  };

  it('adds all rows, marks the wrong ones, and names the limit of the list', async () => {
    const { page, saved } = await openPorts();
    await pasteTable(page);
    await seen(page, /202 entries/);
    await page.getByRole('searchbox').fill('is:error');
    for (const port of ['xe-0/0/5', 'xe-0/0/150'])
      await page
        .getByRole('row', { name: new RegExp(`${port}\\b`) })
        .first()
        .waitFor();
    assert.equal(await page.getByRole('row', { name: /Must be at least 68/ }).count(), 2);
    await page.getByRole('row', { name: /Ports.*at most 200/i }).waitFor();
    await press(page, 'Save draft');
    await eventually(async () => {
      const { ports } = ((await saved()).draft?.formData ?? {}) as { readonly ports?: readonly object[] };
      assert.deepEqual(
        [ports?.length, ports?.[5], ports?.[201]],
        [202, { name: 'xe-0/0/5', mtu: 10 }, { name: 'xe-0/0/201', mtu: 1500 }],
      );
    });
  });

  it('is undone and redone as one step', async () => {
    const { page } = await openPorts();
    await pasteTable(page);
    await seen(page, /202 entries/);
    await page.getByRole('row', { name: /Ports/ }).first().focus();
    await page.keyboard.press('Control+z');
    await seen(page, /^1 entry/);
    await seen(page, 'No changes to the proposal');
    await page.keyboard.press('Control+y');
    await seen(page, /202 entries/);
  });
});
