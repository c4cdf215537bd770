import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { consoleFor, describePages } from '../support/console-errors.js';
import {
  arrived,
  assertFits,
  assertPartClean,
  button,
  dialogGone,
  dialogOf,
  focused,
  press,
  scrollToEnd,
  seen,
} from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';

/** Name of a profile as operators choose it. */
const NIGHT = 'night.v1';

/** Writes the text of a field, and leaves the field. */
async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Tab');
}

describePages('the form of a profile', function () {
  const site = consoleFor(this);

  const storedProfile = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
    const { profile } = (await site.ask('GET', `/profiles/${id}`)) as { profile: Record<string, unknown> };
    return profile;
  };

  it('shows errors at their fields, and then creates the profile', async () => {
    const { page } = await site.look('/ui/profiles');
    await clickMiddle(page, button(page, 'New profile').first());
    await arrived(page, 'New profile');
    const name = page.getByLabel('Name', { exact: false }).first();
    await focused(name);
    await clickMiddle(page, button(page, 'Create'));
    await seen(page, /Enter a name\./);
    await name.fill('night/v1');
    await enter(page.getByRole('textbox', { name: /^Description/ }), 'Only the core at night');
    await clickMiddle(page, button(page, /Add to Adapters$/));
    const adapter = page.getByRole('combobox', { name: /^Adapter/ });
    await adapter.waitFor();
    await clickMiddle(page, adapter);
    await clickMiddle(page, page.getByRole('option', { name: 'core1' }));
    await clickMiddle(page, button(page, /Add to Allowed targets$/));
    await enter(page.getByRole('textbox', { name: /#1|Allowed targets/ }).last(), 'not a target!');
    await clickMiddle(page, button(page, 'Create'));
    await seen(page, /Use at most 128 characters/);
    await name.fill(NIGHT);
    await clickMiddle(page, button(page, 'Create'));
    await seen(page, 'Fix the marked field.');
    await seen(page, /must be a host, host:port, CIDR or CIDR:port/);
    await scrollToEnd(page);
    await assertPartClean(page.getByRole('main'), 'refused');
    await enter(page.getByRole('textbox', { name: /#1|Allowed targets/ }).last(), '10.20.0.0/16:443');
    await clickMiddle(page, button(page, 'Create'));
    await arrived(page, NIGHT);
    const { services, egress, description } = await storedProfile(NIGHT);
    assert.deepEqual(
      { services, egress, description },
      {
        services: ['core1'],
        egress: { allow: ['10.20.0.0/16:443'] },
        description: 'Only the core at night',
      },
    );
  });

  it('changes one setting, keeps all other members, and asks for the reason', async () => {
    await site.ask('POST', '/profiles', { properties: { id: 'day.v1', uiProps: { home: 'kept' }, own: 1 } });
    const { page } = await site.look('/ui/profiles/day.v1?tab=edit');
    await page.getByLabel('Level').selectOption('debug');
    await scrollToEnd(page);
    await assertFits(page);
    await clickMiddle(page, button(page, 'Save'));
    const dialog = await dialogOf(page);
    await dialog.getByLabel('Reason').fill('find the cause');
    await dialog.getByLabel('Go back automatically').selectOption({ index: 1 });
    const body = page.waitForRequest((one) => one.method() === 'PUT');
    await clickMiddle(page, button(dialog, 'Save'));
    assert.deepEqual((await body).postDataJSON(), {
      properties: { log: { level: 'debug' } },
      comment: 'find the cause',
      confirmWithin: 2,
    });
    await dialogGone(page);
    await seen(page, 'Profile day.v1 was saved.');
    assert.equal(await button(page, 'Save').isDisabled(), true);
    const { own, uiProps } = await storedProfile('day.v1');
    assert.deepEqual({ own, home: (uiProps as { home: string }).home }, { own: 1, home: 'kept' });
  });

  it('offers the names of operations and roles', async () => {
    const { page } = await site.look(`/ui/profiles/${NIGHT}?tab=edit`);
    await clickMiddle(page, button(page, /^Add a member/));
    const dialog = await dialogOf(page);
    const operation = dialog.getByLabel('Member name');
    const list = page.locator(`datalist#${(await operation.getAttribute('list')) ?? ''}`);
    await list.locator('option[value="orchestrator-manager.restQuery"]').waitFor({ state: 'attached' });
    await operation.fill('orchestrator-manager.restQuery');
    await assertPartClean(dialog, 'the name of an operation');
    await clickMiddle(page, button(dialog, 'Add'));
    await dialogGone(page);
    await clickMiddle(page, button(page, /Add to orchestrator-manager\.restQuery$/));
    const role = page.getByRole('combobox', { name: /^Role/ });
    await clickMiddle(page, role);
    await clickMiddle(page, page.getByRole('option', { name: 'viewer' }));
    await clickMiddle(page, button(page, 'Save'));
    const saving = await dialogOf(page);
    await clickMiddle(page, button(saving, 'Save'));
    await seen(page, `Profile ${NIGHT} was saved.`);
    assert.deepEqual((await storedProfile(NIGHT))['roles'], { 'orchestrator-manager.restQuery': ['viewer'] });
  });

  it('leaves a list that was emptied to the configuration files', async () => {
    const egress = { allow: ['10.20.0.0/16:443'], timeoutMs: 5000 };
    await site.ask('POST', '/profiles', {
      properties: { id: 'lab.v1', services: ['core1'], egress, log: { level: 'debug' } },
    });
    const { page } = await site.look('/ui/profiles/lab.v1?tab=edit');
    await clickMiddle(page, button(page, 'Remove: #1'));
    await clickMiddle(page, button(page, 'Remove: Adapter'));
    await page.getByLabel('Level').selectOption({ index: 0 });
    await clickMiddle(page, button(page, 'Save'));
    const dialog = await dialogOf(page);
    const body = page.waitForRequest((one) => one.method() === 'PUT');
    await clickMiddle(page, button(dialog, 'Save'));
    assert.deepEqual((await body).postDataJSON(), {
      properties: { services: null, egress: { timeoutMs: 5000 }, log: null },
    });
    await seen(page, 'Profile lab.v1 was saved.');
  });

  it('copies a profile, and refuses references to Vault at their place', async () => {
    const { page } = await site.look(`/ui/profiles/${NIGHT}`, { width: 390, height: 844 });
    await clickMiddle(page, button(page, 'Clone'));
    await arrived(page, `Clone ${NIGHT}`);
    const name = page.getByLabel('Name', { exact: false }).first();
    assert.equal(await name.inputValue(), `${NIGHT}-copy`);
    await enter(page.getByRole('textbox', { name: /^Description/ }), '$VAULT_adapters/core1#password');
    await clickMiddle(page, button(page, 'Create'));
    await seen(page, /references in a profile are not resolved/);
    assert.equal(await page.getByText(/references in a profile are not resolved/).count(), 1);
    await scrollToEnd(page);
    await assertFits(page, 'refused');
    await enter(page.getByRole('textbox', { name: /^Description/ }), 'A copy');
    await clickMiddle(page, button(page, 'Create'));
    await arrived(page, `${NIGHT}-copy`);
    const [copy, original] = [await storedProfile(`${NIGHT}-copy`), await storedProfile(NIGHT)];
    assert.deepEqual({ ...copy, id: NIGHT, description: '' }, { ...original, description: '' });
  });

  it('keeps the input when another user changes the profile, and when a link would discard it', async () => {
    const { page } = await site.look('/ui/profiles/day.v1?tab=edit');
    const description = page.getByRole('textbox', { name: /^Description/ });
    await enter(description, 'My words');
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await press(await dialogOf(page), 'Cancel');
    await dialogGone(page);
    await site.ask('POST', '/profiles/day.v1/confirm');
    await site.ask('PUT', '/profiles/day.v1', { properties: { forms: { maxForms: 7 } } });
    await seen(page, /Another user changed this profile/);
    assert.equal(await description.inputValue(), 'My words');
    assert.equal(await button(page, 'Save').isDisabled(), true);
    await scrollToEnd(page);
    await assertPartClean(page.getByRole('main'), 'a conflict');
    await press(page, 'Keep my changes and compare');
    await clickMiddle(page, button(page, 'Save'));
    const dialog = await dialogOf(page);
    await seen(dialog, /My words/);
    await clickMiddle(page, button(dialog, 'Save'));
    await seen(page, 'Profile day.v1 was saved.');
    const { description: stored, forms } = await storedProfile('day.v1');
    assert.deepEqual({ stored, forms }, { stored: 'My words', forms: { maxForms: 7 } });
  });
});
