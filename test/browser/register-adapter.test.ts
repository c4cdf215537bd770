import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { consoleFor } from '../support/console-errors.js';
import {
  arrived,
  assertClean,
  assertCleanInBothThemes,
  button,
  dialogGone,
  dialogOf,
  focused,
  press,
  seen,
} from '../support/page-text.js';
import { SECRET } from '../support/test-server.js';

/** Presses the mouse at the middle of an element, as a hand does. */
async function clickMiddle(page: Page, element: Locator): Promise<void> {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  assert.ok(box, 'the element is not on the screen');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Scrolls to the end of the page, where the bar with the buttons covers no field. */
async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate('for (const box of document.querySelectorAll("*")) box.scrollTop = box.scrollHeight');
}

const NAME = 'nso1.example.com';

describe('the page that registers an adapter', function () {
  const site = consoleFor(this, {
    arrange: (_folder, vault) => {
      vault.putSecret({ path: `adapters/${NAME}` }, { password: 'secret-of-nso1' });
    },
  });

  const documentOf = async (name: string): Promise<unknown> => {
    const reply = (await site.ask('GET', `/adapters/${name}`)) as {
      data: { properties: { properties: unknown } };
    };
    return reply.data.properties.properties;
  };

  it('shows errors at their fields, and then tests and registers an adapter of the catalog', async () => {
    const looked = await site.look('/ui/adapters/new');
    const { page } = looked;
    await focused(page.getByLabel('Find an orchestrator'));
    await assertCleanInBothThemes(looked);
    await clickMiddle(page, page.getByRole('button', { name: /^Cisco NSO/ }));
    const name = page.getByLabel('Name', { exact: false }).first();
    await focused(name);
    await clickMiddle(page, button(page, 'Register adapter'));
    await seen(page, /Enter a name\./);
    await name.fill(NAME);
    const baseUrl = page.getByRole('textbox', { name: /^Base URL/ }).first();
    await baseUrl.fill('nowhere');
    await baseUrl.press('Tab');
    await clickMiddle(page, button(page, 'Register adapter'));
    await seen(page, /Fix the marked field\./);
    await seen(page, /must be an http or https URL/);
    await scrollToEnd(page);
    await assertCleanInBothThemes(looked, 'refused');
    await baseUrl.fill('https://127.0.0.1:9');
    await baseUrl.press('Tab');
    await clickMiddle(page, button(page, 'Test connection'));
    await seen(page, 'The connection failed at the step TCP.');
    await scrollToEnd(page);
    await assertClean(looked, 'tested');
    await clickMiddle(page, button(page, 'Register adapter'));
    await arrived(page, NAME);
    const settings = (await documentOf(NAME)) as { baseUrl: string; auth: { password: string } };
    assert.equal(settings.baseUrl, 'https://127.0.0.1:9');
    assert.equal(settings.auth.password, `$VAULT_adapters/${NAME}#password`);
  });

  it('keeps invalid JSON as text, and edits the same settings in both tabs', async () => {
    const looked = await site.look('/ui/adapters/new', { width: 390, height: 844 });
    const { page } = looked;
    await press(page, /^OpenDaylight/);
    await page.getByLabel('Name', { exact: false }).first().fill('odl1.example.com');
    await press(page, 'JSON');
    const json = page.getByRole('textbox', { name: 'Settings' });
    const write = async (text: string) => {
      await json.click();
      await focused(json);
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
    };
    await write('{"baseUrl": ');
    await press(page, 'Form');
    await seen(page, /The JSON is not valid, so it has no form/);
    assert.equal(await button(page, 'Register adapter').isDisabled(), true);
    await press(page, 'JSON');
    await seen(page, /"baseUrl":/);
    const auth = { type: 'basic', username: 'g', password: '$VAULT_adapters/odl1.example.com#password' };
    await write(JSON.stringify({ baseURL: 'https://127.0.0.1:9', auth }));
    await press(page, 'Register adapter');
    await seen(page, /Unknown setting "baseURL"\. Did you mean "baseUrl"\?/);
    await write(JSON.stringify({ baseUrl: 'https://127.0.0.1:9', auth }));
    await press(page, 'Form');
    await page
      .getByRole('textbox', { name: /^Base URL/ })
      .first()
      .waitFor();
    await scrollToEnd(page);
    await assertClean(looked);
    await press(page, 'Register adapter');
    await seen(page, 'This adapter cannot start: Vault has no secret adapters/odl1.example.com.');
    await page.getByRole('link', { name: 'Open Secrets' }).waitFor();
    assert.deepEqual(await documentOf('odl1.example.com'), { baseUrl: 'https://127.0.0.1:9', auth });
    await assertClean(looked, 'missing secret');
  });

  it('asks before unsaved input is discarded, with the keyboard alone', async () => {
    const looked = await site.look('/ui/adapters/new');
    const { page } = looked;
    await focused(page.getByLabel('Find an orchestrator'));
    await page.keyboard.type('netbox 4.5');
    await page.keyboard.press('Tab');
    await focused(page.getByRole('button', { name: /^NetBox 4\.5/ }));
    await page.keyboard.press('Enter');
    await focused(page.getByLabel('Name', { exact: false }).first());
    await page.keyboard.type('netbox1.example.com');
    await page.getByRole('link', { name: 'Overview' }).first().focus();
    await page.keyboard.press('Enter');
    await press(await dialogOf(page), 'Cancel');
    await dialogGone(page);
    assert.equal(await page.getByLabel('Name', { exact: false }).first().inputValue(), 'netbox1.example.com');
    await page.getByRole('link', { name: 'Overview' }).first().focus();
    await page.keyboard.press('Enter');
    await press(await dialogOf(page), 'Discard');
    await arrived(page, 'Overview');
  });

  it('changes a setting of a registered adapter in the form, and keeps the other members', async () => {
    const auth = { type: 'basic', username: 'g', password: `$VAULT_${SECRET.path}#${SECRET.field}` };
    const settings = { baseUrl: 'https://127.0.0.1:9', auth, timeouts: { totalMs: 20_000 } };
    await site.ask('POST', '/adapters', {
      properties: {
        name: 'edge1',
        model: 'restconf',
        properties: { brokers: ['device'], properties: settings },
      },
    });
    const looked = await site.look('/ui/adapters/edge1?tab=configuration');
    const { page } = looked;
    await press(page, 'Edit');
    const baseUrl = page.getByRole('textbox', { name: /^Base URL/ }).first();
    await baseUrl.fill('https://127.0.0.1:10');
    await baseUrl.press('Tab');
    await scrollToEnd(page);
    await assertCleanInBothThemes(looked);
    await clickMiddle(page, button(page, 'Review changes'));
    await seen(page, /Lines: 1 changed/);
    await clickMiddle(page, button(page, 'Save and restart adapter'));
    await button(page, 'Edit').waitFor();
    assert.deepEqual(await documentOf('edge1'), { ...settings, baseUrl: 'https://127.0.0.1:10' });
  });
});
