import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Form } from '../../src/core/form.js';
import { consoleFor } from '../support/console-errors.js';
import { assertCleanInBothThemes, button, done, focused, seen } from '../support/page-text.js';

const FORMS = '/json-forms/forms';
const EMPTY = { type: 'object', properties: {} };
const INTERFACE = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name' },
    'ietf-ip': { type: 'string', title: 'Ietf ip', enum: ['ipv4', 'ipv6'] },
    'hold-time': { type: 'integer', title: 'Hold time' },
    timers: { type: 'object', title: 'Timers', properties: { up: { type: 'integer', title: 'Up' } } },
  },
};

type Schema = Readonly<Record<string, unknown>> & { readonly properties: Readonly<Record<string, unknown>> };

/** Returns the middle of an element. */
async function middleOf(thing: Locator): Promise<{ readonly x: number; readonly y: number }> {
  await thing.scrollIntoViewIfNeeded();
  const box = await thing.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const item = (page: Page, name: string): Locator => page.getByRole('treeitem', { name });

describe('the designer', function () {
  const { look, ask } = consoleFor(this);
  const opened = async (name: string, schema: object) => {
    const { doc } = (await ask('POST', FORMS, { name, schema })) as { readonly doc: Form };
    const looked = await look(`/ui/forms/${doc.id}`);
    const saved = async (): Promise<Schema> => {
      await done(looked.page, `PUT ${FORMS}/`, () => looked.page.keyboard.press('Control+s'));
      return ((await ask('GET', `${FORMS}/${doc.id}`)) as Form).schema as Schema;
    };
    return { looked, page: looked.page, saved };
  };

  it('adds fields with the keyboard alone: Insert, the type, Enter, the name, Enter', async () => {
    const { page, saved } = await opened('Keys', EMPTY);
    await item(page, 'Keys').waitFor();
    let keys = 0;
    const type = async (...pressed: readonly string[]) => {
      for (const key of pressed) {
        await page.keyboard.press(key);
        keys += 1;
      }
    };
    for (const [filter, name] of [
      ['int', 'hold-time'],
      ['ipv4', 'ietf-ip'],
      ['date', 'since'],
    ] as const) {
      await type('Insert');
      await focused(page.getByRole('combobox', { name: 'Type of field' }));
      await type(...Array.from(filter), 'Enter');
      await focused(page.getByRole('region', { name: 'Properties' }).getByLabel('Name', { exact: true }));
      keys -= filter.length;
      await page.keyboard.insertText(name);
      await type('Enter');
      await focused(page.getByRole('treeitem', { selected: true, name }));
    }
    assert.equal(keys, 9, 'three keys a field, apart from typed words');
    const { properties } = await saved();
    assert.deepEqual(properties, {
      'hold-time': { type: 'integer', title: 'Hold time' },
      'ietf-ip': { type: 'string', format: 'ipv4', title: 'Ietf ip' },
      since: { type: 'string', format: 'date', title: 'Since' },
    });
  });

  it('shows a field under a condition, as if and then, and undoes each step', async () => {
    const { looked, page, saved } = await opened('Conditions', INTERFACE);
    await item(page, 'hold-time').click();
    const properties = page.getByRole('region', { name: 'Properties' });
    await properties.getByLabel('Shown', { exact: true }).selectOption('when');
    const condition = properties.getByRole('group', { name: 'Shown when' });
    await condition.getByLabel('Field').selectOption('ietf-ip');
    await condition.getByLabel('Test').selectOption('is');
    await condition.getByLabel('Value').selectOption('ipv6');
    await page.getByRole('img', { name: 'shown when ietf-ip is ipv6' }).waitFor();
    await assertCleanInBothThemes(looked, 'condition');
    const { allOf, properties: always } = await saved();
    assert.deepEqual(allOf, [
      {
        if: { properties: { 'ietf-ip': { const: 'ipv6' } }, required: ['ietf-ip'] },
        then: { properties: { 'hold-time': { type: 'integer', title: 'Hold time' } } },
      },
    ]);
    assert.ok(!('hold-time' in always));
    await properties.getByLabel('Required', { exact: true }).selectOption('always');
    await page.keyboard.press('Control+z');
    assert.equal(await properties.getByLabel('Required', { exact: true }).inputValue(), 'never');
    await properties.getByLabel('Shown', { exact: true }).selectOption('always');
    assert.deepEqual(Object.keys((await saved()).properties).toSorted(), [
      'hold-time',
      'ietf-ip',
      'name',
      'timers',
    ]);
  });

  it('drags a field with the mouse to another position and into a group; Escape cancels', async () => {
    const { page, saved } = await opened('Mouse', INTERFACE);
    const name = await middleOf(item(page, 'hold-time').locator('.gh-outline-title'));
    const first = await middleOf(item(page, 'Name').first());
    await page.mouse.move(name.x, name.y);
    await page.mouse.down();
    await page.mouse.move(first.x, first.y - 8, { steps: 5 });
    await seen(page.getByRole('status'), 'Before name');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await seen(page.getByRole('status'), 'The field was not moved.');
    await page.mouse.move(name.x, name.y);
    await page.mouse.down();
    await page.mouse.move(first.x, first.y - 8, { steps: 5 });
    await page.mouse.up();
    await seen(page.getByRole('status'), 'hold-time moved.');
    const name2 = await middleOf(item(page, 'ietf-ip').locator('.gh-outline-title'));
    const group = await middleOf(item(page, 'Timers'));
    await page.mouse.move(name2.x, name2.y);
    await page.mouse.down();
    await page.mouse.move(group.x, group.y, { steps: 5 });
    await seen(page.getByRole('status'), 'Into timers');
    await page.mouse.up();
    await seen(page.getByRole('status'), 'timers.ietf-ip moved.');
    const { properties } = await saved();
    assert.deepEqual(Object.keys(properties), ['hold-time', 'name', 'timers']);
    assert.deepEqual(Object.keys((properties['timers'] as Schema).properties), ['up', 'ietf-ip']);
  });

  it('drags a type of field from the list to a position', async () => {
    const { page, saved } = await opened('Palette', INTERFACE);
    await button(page, 'Add field').click();
    const kind = await middleOf(page.getByRole('option', { name: 'IPv6 address' }));
    const first = await middleOf(item(page, 'Name').first());
    await page.mouse.move(kind.x, kind.y);
    await page.mouse.down();
    await page.mouse.move(first.x, first.y + 8, { steps: 5 });
    await seen(page.getByRole('status'), 'After name');
    await page.mouse.up();
    await focused(page.getByRole('region', { name: 'Properties' }).getByLabel('Name', { exact: true }));
    assert.deepEqual(Object.keys((await saved()).properties).slice(0, 2), ['name', 'ipv6']);
  });

  it('reads the choices of a field from the reply of an orchestrator', async () => {
    const { looked, page, saved } = await opened('Bound', INTERFACE);
    await item(page, 'Name').first().click();
    const choices = page.getByRole('group', { name: 'Choices from an orchestrator' });
    await choices.getByLabel('Source of the choices').selectOption('query');
    await choices.getByLabel('Adapter', { exact: true }).selectOption('core1');
    await choices.getByLabel('Path', { exact: true }).fill('/restconf/data/ietf-interfaces:interfaces');
    const send = await middleOf(button(choices, 'Show reply'));
    await page.mouse.click(send.x, send.y);
    await seen(choices, /choices?: .*eth0/);
    assert.equal(
      await choices.getByLabel('List in the reply').inputValue(),
      '/ietf-interfaces:interfaces/interface',
    );
    assert.equal(await choices.getByLabel('Value of a choice').inputValue(), '/name');
    await assertCleanInBothThemes(looked, 'choices');
    await saved();
    await page.reload();
    assert.equal(await choices.getByLabel('Adapter', { exact: true }).inputValue(), 'core1');
    await choices.getByLabel('Source of the choices').selectOption('fixed');
    await choices.getByLabel('Adapter', { exact: true }).waitFor({ state: 'detached' });
    await page.locator('h1').click();
    await page.keyboard.press('Control+z');
    await choices.getByLabel('Adapter', { exact: true }).waitFor();
  });
});
