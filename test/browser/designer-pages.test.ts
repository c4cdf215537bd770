import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Form } from '../../src/features/forms/form-store.js';
import { consoleFor, createForm, describePages } from '../support/console-errors.js';
import { assertFits, assertPartClean, button, done, focused, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';

const FORMS = '/json-forms/forms';
const ORDER = {
  type: 'object',
  properties: {
    ports: { type: 'integer', title: 'Anschlüsse' },
    price: { type: 'number', title: 'Preis' },
    total: { type: 'number', title: 'Summe' },
  },
};

const properties = (page: Page): Locator => page.getByRole('region', { name: 'Properties' });
const item = (page: Page, name: string): Locator => page.getByRole('treeitem', { name });

/** Adds a page with the mouse: its heading, and its fields. */
async function addPage(page: Page, heading: string, fields: readonly string[]): Promise<void> {
  const pages = properties(page).getByRole('group', { name: 'Pages', exact: true });
  await clickMiddle(page, button(pages, 'Add page'));
  const added = pages.getByRole('group', { name: /^Page/ }).last();
  await added.getByLabel('Heading').fill(heading);
  await clickMiddle(page, added.getByText('Choose fields'));
  for (const name of fields) await clickMiddle(page, added.getByLabel(name, { exact: true }));
  await seen(added, `Fields: ${fields.join(', ')}`);
}

describePages('pages, translations and calculated values in the designer', function () {
  const { look, ask } = consoleFor(this);

  it('are made with the mouse, follow a new name, are undone, and are seen in a task', async () => {
    const doc = await createForm(ask, { name: 'Order', schema: ORDER });
    const { page } = await look(`/ui/forms/${doc.id}`);
    await addPage(page, 'Bestellung', ['ports']);
    await addPage(page, 'Kosten', ['price', 'total']);

    const translations = properties(page).getByRole('group', { name: 'Translations', exact: true });
    await translations.getByLabel('New language').fill('en');
    await page.keyboard.press('Enter');
    await seen(translations, '5 of 5 texts have no translation.');
    await translations.getByLabel('Anschlüsse', { exact: true }).fill('Ports');
    await translations.getByLabel('Kosten', { exact: true }).fill('Costs');
    await seen(translations, '3 of 5 texts have no translation.');
    await clickMiddle(page, button(page, 'Undo'));
    await seen(translations, '4 of 5 texts have no translation.');
    await clickMiddle(page, button(page, 'Redo'));
    await seen(translations, '3 of 5 texts have no translation.');

    await clickMiddle(page, item(page, 'Summe').locator('.gh-outline-title'));
    const calculation = properties(page).getByRole('group', { name: 'Calculated value', exact: true });
    await calculation.getByLabel('Calculation', { exact: true }).selectOption({ label: 'Product' });
    const preview = page.getByRole('region', { name: 'Form and source' });
    await preview.getByLabel('Ports').fill('3');
    await clickMiddle(page, button(preview, 'Next'));
    await preview.getByLabel('Preis').fill('2.5');
    await page.keyboard.press('Tab');
    await seen(calculation, 'Value for the test data: 7.5');
    await seen(preview, '7.5');
    await clickMiddle(page, button(calculation, 'Add operand'));
    const factor = calculation.getByRole('group', { name: 'Operand 3', exact: true });
    await factor.getByLabel('Value', { exact: true }).fill('');
    await page.keyboard.type('1.5');
    await seen(calculation, 'Value for the test data: 11.25');
    await clickMiddle(page, button(factor, 'Remove operand 3'));
    await seen(calculation, 'Value for the test data: 7.5');

    await clickMiddle(page, item(page, 'Preis').locator('.gh-outline-title'));
    const name = properties(page).getByLabel('Name', { exact: true });
    await name.fill('cost');
    await page.keyboard.press('Enter');
    await focused(item(page, 'Preis'));
    await done(page, `PUT ${FORMS}/`, () => clickMiddle(page, button(page, 'Save')));
    const { uiSchema } = (await ask('GET', `${FORMS}/${doc.id}`)) as Form;
    assert.deepEqual(uiSchema, {
      'ui:pages': [
        { title: 'Bestellung', fields: ['ports'] },
        { title: 'Kosten', fields: ['cost', 'total'] },
      ],
      'ui:translations': { en: { Anschlüsse: 'Ports', Kosten: 'Costs' } },
      total: { 'ui:calculate': { '*': [{ var: 'ports' }, { var: 'cost' }] } },
    });

    const [task] = await Promise.all([
      page.waitForEvent('popup'),
      clickMiddle(page, button(page, 'Try as a task')),
    ]);
    await task.getByRole('heading', { name: 'Test: Order' }).waitFor();
    await clickMiddle(task, button(task, 'Form'));
    await task.getByLabel('Ports').fill('4');
    await clickMiddle(task, button(task, 'Next'));
    await task.getByRole('heading', { name: /^Costs/ }).waitFor();
    await task.getByLabel('Preis').fill('2');
    await task.keyboard.press('Tab');
    await seen(task, '8');
    await task.close();
  });

  it('name the fault of an expression, insert fields, and fit on a phone', async () => {
    const uiSchema = {
      'ui:pages': [{ title: 'Bestellung', fields: ['ports'] }],
      'ui:translations': { en: { Anschlüsse: 'Ports', Alt: 'Old' } },
      total: { 'ui:calculate': { if: [{ var: 'ports' }, { var: 'amount' }] } },
    };
    const doc = await createForm(ask, { name: 'Phone', schema: ORDER, uiSchema });
    const { page } = await look(`/ui/forms/${doc.id}`, { width: 360, height: 780 });
    const translations = properties(page).getByRole('group', { name: 'Translations', exact: true });
    await clickMiddle(page, translations.getByText('1 translation of a text that the form no longer has'));
    await clickMiddle(page, button(translations, 'Remove unused translations'));
    await seen(translations, '3 of 4 texts have no translation.');
    await assertFits(page, 'the form');
    await assertPartClean(properties(page), 'the form');

    await clickMiddle(page, item(page, 'Summe').locator('.gh-outline-title'));
    const calculation = properties(page).getByRole('group', { name: 'Calculated value', exact: true });
    await seen(calculation, 'The expression reads "amount", but there is no such field.');
    const expression = calculation.getByLabel('Expression', { exact: true });
    await expression.fill('{"if": [, 1]}');
    await seen(calculation, 'Enter valid JSON.');
    await expression.press('Home');
    for (let count = 0; count < 8; count += 1) await expression.press('ArrowRight');
    await calculation.getByLabel('Insert a field').selectOption({ label: 'Anschlüsse (ports)' });
    assert.equal(await expression.inputValue(), '{"if": [{"var":"ports"}, 1]}');
    await seen(calculation, /^No value for the test data/);
    await assertFits(page, 'the field');
    await assertPartClean(properties(page), 'the field');
  });
});
