import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Form } from '../../src/features/forms/form-store.js';
import { consoleFor, createForm, describePages } from '../support/console-errors.js';
import { assertPartClean, button, done, focused, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';

const FORMS = '/json-forms/forms';
const INTERFACES = '/restconf/data/ietf-interfaces:interfaces';

/** The fields of the form in the order in which they are added: the typed filter, the type, and the name. */
const FIELDS = [
  ['text', 'Text', 'device'],
  ['choi', 'Choice', 'site'],
  ['text', 'Text', 'interface'],
  ['choi', 'Choice', 'ietf-ip'],
  ['ipv4', 'IPv4 address', 'ipv4'],
  ['int', 'Integer', 'hold-time'],
  ['num', 'Number', 'load'],
  ['date', 'Date', 'since'],
  ['bool', 'Boolean', 'enabled'],
  ['mult', 'Multi-line text', 'comment'],
  ['list of t', 'List of text values', 'tagged-ports'],
  ['email', 'Email address', 'contact'],
] as const;

/** The schema that both the mouse and the keyboard make. */
const SCHEMA = {
  type: 'object',
  properties: {
    device: { type: 'string', title: 'Device' },
    site: {
      type: 'string',
      title: 'Site',
      oneOf: [
        { const: 'ber', title: 'Berlin' },
        { const: 'muc', title: 'Munich' },
      ],
    },
    interface: { type: 'string', title: 'Interface' },
    'ietf-ip': { type: 'string', title: 'Ietf ip', enum: ['ipv4', 'ipv6'] },
    'hold-time': { type: 'integer', title: 'Hold time', minimum: 1, maximum: 300 },
    load: { type: 'number', title: 'Load' },
    since: { type: 'string', format: 'date', title: 'Since' },
    enabled: { type: 'boolean', title: 'Enabled' },
    comment: { type: 'string', title: 'Comment' },
    'tagged-ports': { type: 'array', items: { type: 'string' }, title: 'Tagged ports' },
    contact: { type: 'string', format: 'email', title: 'Contact' },
  },
  allOf: [
    {
      if: { properties: { 'ietf-ip': { const: 'ipv4' } }, required: ['ietf-ip'] },
      then: { properties: { ipv4: { type: 'string', format: 'ipv4', title: 'Ipv4' } } },
    },
  ],
};

describePages('a form of twelve fields', function () {
  const { look, ask } = consoleFor(this);
  const opened = async (name: string) => {
    const doc = await createForm(ask, { name, schema: { type: 'object', properties: {} } });
    const { page } = await look(`/ui/forms/${doc.id}`);
    await page.getByRole('treeitem', { name }).waitFor();
    const stored = async () => (await ask('GET', `${FORMS}/${doc.id}`)) as Form;
    const properties = page.getByRole('region', { name: 'Properties' });
    return { page, stored, properties, name: properties.getByLabel('Name', { exact: true }) };
  };
  const assertDesigned = ({ schema, uiSchema, bindingSchema }: Form): void => {
    assert.deepEqual(schema, SCHEMA);
    assert.deepEqual(
      (uiSchema as Record<string, unknown>)['ui:order'],
      FIELDS.map(([, , name]) => name),
    );
    const { properties } = bindingSchema as { properties: Record<string, Record<string, unknown>> };
    assert.deepEqual(Object.keys(properties), ['interface']);
    assert.deepEqual(properties['interface']?.['binding:source'], {
      propertyPointer: '/ietf-interfaces:interfaces/interface',
      keyPointer: '/name',
      labelKeyPointer: '/name',
    });
  };

  it('is designed with the mouse', async () => {
    const { page, stored, properties, name } = await opened('By mouse');
    const click = (thing: Locator) => clickMiddle(page, thing);
    const write = async (field: Locator, text: string) => {
      await click(field);
      await focused(field);
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
    };
    for (const [, kind, key] of FIELDS) {
      await click(page.getByRole('option', { name: kind, exact: true }));
      await focused(name);
      await page.keyboard.insertText(key);
    }
    const select = async (title: string) => {
      await click(page.getByRole('treeitem', { name: title }).locator('.gh-outline-title'));
      await page.getByRole('treeitem', { selected: true, name: title }).waitFor();
    };
    const choices = properties.getByRole('group', { name: 'Choices', exact: true });
    await select('Site');
    await write(choices.getByLabel('Value of choice 1'), 'ber');
    await write(choices.getByLabel('Label of choice 1'), 'Berlin');
    await write(choices.getByLabel('Value of choice 2'), 'muc');
    await write(choices.getByLabel('Label of choice 2'), 'Munich');
    await select('Ietf ip');
    await write(choices.getByLabel('Value of choice 1'), 'ipv4');
    await write(choices.getByLabel('Value of choice 2'), 'ipv6');
    await select('Ipv4');
    await properties.getByLabel('Shown', { exact: true }).selectOption('when');
    const condition = properties.getByRole('group', { name: 'Shown when' });
    await condition.getByLabel('Field').selectOption('ietf-ip');
    await condition.getByLabel('Test').selectOption('is');
    await condition.getByLabel('Value').selectOption('ipv4');
    await page.getByRole('img', { name: 'shown when ietf-ip is ipv4' }).waitFor();
    await assertPartClean(condition, 'condition');
    await select('Hold time');
    await write(properties.getByLabel('Minimum', { exact: true }), '1');
    await write(properties.getByLabel('Maximum', { exact: true }), '300');
    await select('Interface');
    await choices.getByLabel('Source of the choices').selectOption('query');
    await write(choices.getByLabel('Adapter', { exact: true }), 'core1');
    await write(choices.getByLabel('Path', { exact: true }), INTERFACES);
    await click(button(choices, 'Show reply'));
    await seen(choices, /choices?: .*eth0/);
    await assertPartClean(properties, 'designed');
    await done(page, `PUT ${FORMS}/`, () => click(button(page, 'Save')));
    assertDesigned(await stored());
  });

  it('is designed with the keyboard in few keys', async () => {
    const { page, stored, name, properties } = await opened('By keyboard');
    let keys = 0;
    const press = async (...pressed: readonly string[]) => {
      for (const key of pressed) {
        await page.keyboard.press(key);
        keys += 1;
      }
    };
    const type = (text: string) => page.keyboard.insertText(text);
    const tabTo = async (thing: Locator) => {
      for (let count = 0; count < 30 && !(await thing.and(page.locator(':focus')).count()); count += 1)
        await press('Tab');
      await focused(thing);
    };
    const row = page.getByRole('treeitem', { selected: true });
    const field = (label: string) => properties.getByLabel(label, { exact: true });
    // Enter in the outline opens the properties of the field; Escape there returns to the outline.
    const edit = async () => {
      await press('Enter');
      await focused(name);
    };
    const leave = async () => {
      await press('Escape');
      await focused(row);
    };
    for (const [filter, , key] of FIELDS) {
      await press('Insert');
      await focused(page.getByRole('combobox', { name: 'Type of field' }));
      await type(filter);
      await press('Enter');
      await focused(name);
      await type(key);
      await press('Enter');
      await focused(row);
      await page.getByRole('treeitem', { selected: true, name: key }).waitFor();
      if (key === 'site') {
        await edit();
        await tabTo(field('Value of choice 1'));
        await type('ber');
        await press('Tab');
        await type('Berlin');
        await press('Enter');
        await focused(field('Value of choice 2'));
        await type('muc');
        await press('Tab');
        await type('Munich');
        await leave();
      }
      if (key === 'interface') {
        await edit();
        await tabTo(field('Source of the choices'));
        await press('a');
        await tabTo(field('Adapter'));
        await type('core1');
        await tabTo(field('Path'));
        await type(INTERFACES);
        await tabTo(button(properties, 'Show reply'));
        await press('Enter');
        await seen(properties, /choices?: .*eth0/);
        await leave();
      }
      if (key === 'ietf-ip') {
        await edit();
        await tabTo(field('Value of choice 1'));
        await type('ipv4');
        await press('Enter');
        await focused(field('Value of choice 2'));
        await type('ipv6');
        await leave();
      }
      if (key === 'ipv4') {
        await edit();
        await tabTo(field('Shown'));
        await press('s');
        const condition = properties.getByRole('group', { name: 'Shown when' });
        await tabTo(condition.getByLabel('Field'));
        await press('i', 'e');
        await tabTo(condition.getByLabel('Test'));
        await press('Home');
        await tabTo(condition.getByLabel('Value'));
        await leave();
      }
      if (key === 'hold-time') {
        await edit();
        await tabTo(field('Minimum'));
        await type('1');
        await press('Tab');
        await type('300');
        await leave();
      }
    }
    await done(page, `PUT ${FORMS}/`, () => press('Control+s'));
    assertDesigned(await stored());
    assert.ok(keys <= 91, `${keys} keys, apart from typed words`);
  });
});
