import assert from 'node:assert/strict';
import { formPageFor } from '../support/form-page.js';
import { BROWSER } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertAccessible } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';

const branch = (name: string, value: string, member: string) => ({
  properties: { [name]: { enum: [value] }, [member]: { type: 'string' } },
  required: [member],
});
const only = (member: string) => ({ title: `By ${member}`, properties: { [member]: { type: 'string' } } });

const FORMS = {
  'selects.json': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name' },
      mode: { type: 'string', title: 'Addressing', enum: ['static', 'dhcp'] },
      proto: { type: 'string', title: 'Protocol', enum: ['bgp', 'ospf'] },
    },
    dependencies: {
      mode: { oneOf: [branch('mode', 'static', 'address'), branch('mode', 'dhcp', 'server')] },
      proto: { oneOf: [branch('proto', 'bgp', 'asn'), branch('proto', 'ospf', 'area')] },
    },
  },
  'unions.json': {
    type: 'object',
    properties: { name: { type: 'string', title: 'Name' } },
    allOf: [
      { title: 'Addressing', oneOf: [only('address'), only('server')] },
      { title: 'Routing', oneOf: [only('asn'), only('area')] },
    ],
  },
  'untitled.json': { type: 'object', oneOf: [only('address'), only('server')] },
};

describeWith(BROWSER, 'a form with several unions', function () {
  const form = formPageFor(this, { forms: FORMS });
  const open = (sample: string, view = 'form') =>
    form.open(`sample=${sample}&view=${view}`, { height: 1200 });

  it('shows two selects with dependencies without radio buttons and without a false error', async () => {
    const page = await open('selects');
    await page.getByLabel('Addressing', { exact: true }).selectOption('static');
    await page.getByLabel('Protocol', { exact: true }).selectOption('ospf');
    await page.getByRole('textbox', { name: 'address' }).fill('192.0.2.1');
    await page.getByRole('textbox', { name: 'area' }).fill('0');
    await page.keyboard.press('Tab');
    assert.equal(await page.getByRole('radio').count(), 0);
    assert.equal(await page.locator('.gf-error').count(), 0);
    assert.deepEqual(await page.getByLabel('Addressing', { exact: true }).locator('option').allInnerTexts(), [
      'No value',
      'static',
      'dhcp',
    ]);
    await page.getByLabel('Addressing', { exact: true }).selectOption('dhcp');
    await page.getByRole('textbox', { name: 'server' }).waitFor();
    await assertAccessible(page.locator('html'));
  });

  it('shows independent unions as groups with names, which a mouse chooses independently', async () => {
    const page = await open('unions');
    const groups = page.getByRole('radiogroup');
    const names = await groups.evaluateAll((all) =>
      all.map((group) => (group as unknown as { ariaLabel: string }).ariaLabel),
    );
    assert.deepEqual(names, ['Addressing', 'Routing']);
    await clickMiddle(page, page.getByRole('radio', { name: 'By area' }));
    await page.getByRole('textbox', { name: 'area' }).fill('0');
    await clickMiddle(page, page.getByRole('radio', { name: 'By address' }));
    await page.getByRole('textbox', { name: 'address' }).fill('192.0.2.1');
    await page.keyboard.press('Tab');
    await form.stands({ area: '0', address: '192.0.2.1' });
    await assertAccessible(page.locator('html'));
  });

  it('names the group of a form without a title', async () => {
    const page = await open('untitled');
    await page.getByRole('radiogroup', { name: 'Variant' }).waitFor();
    await assertAccessible(page.locator('html'));
  });

  it('chooses an alternative of one union in the table', async () => {
    const table = await open('unions', 'table');
    await clickMiddle(table, table.getByRole('row', { name: /^Routing/ }).locator('.gf-text'));
    await clickMiddle(table, table.getByRole('radio', { name: 'By asn' }));
    await table.getByRole('row', { name: /^asn/ }).waitFor();
  });
});
