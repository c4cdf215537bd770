import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import {
  arrived,
  assertFits,
  assertPartClean,
  button,
  dialogGone,
  dialogOf,
  focused,
  pasteInto,
  press,
  scrollToEnd,
  seen,
} from '../support/page-text.js';
import { clickMiddle, countedMouse } from '../support/pointer.js';
import { SECRET } from '../support/test-server.js';

const NAME = 'nso1.example.com';

const nameOf = (page: Page): Locator => page.getByLabel('Name', { exact: false }).first();
const baseUrlOf = (page: Page): Locator => page.getByRole('textbox', { name: /^Base URL/ }).first();

describePages('the page that registers an adapter', function () {
  const site = consoleFor(this, {
    arrange: (_folder, vault) => {
      vault.putSecret({ path: `adapters/${NAME}` }, { password: 'secret-of-nso1' });
      vault.putSecret(
        { path: `adapters/${NAME}/keys/ssh` },
        { 'private key': 'value-of-the-key', public: 'x' },
      );
      vault.putSecret({ path: `adapters/${NAME}/keys/tls` }, { key: 'value-of-the-key' });
    },
  });

  const documentOf = async (name: string): Promise<unknown> => {
    const reply = (await site.ask('GET', `/adapters/${name}`)) as {
      data: { properties: { properties: unknown } };
    };
    return reply.data.properties.properties;
  };

  it('shows errors at their fields', async () => {
    const { page } = await site.look('/ui/new-adapter');
    await focused(page.getByLabel('Find an orchestrator'));
    await assertFits(page);
    await clickMiddle(page, page.getByRole('button', { name: /^Cisco NSO/ }));
    const name = nameOf(page);
    await focused(name);
    await clickMiddle(page, button(page, 'Register adapter'));
    await seen(page, /Enter a name\./);
    await name.fill(NAME);
    const baseUrl = baseUrlOf(page);
    await baseUrl.fill('nowhere');
    await baseUrl.press('Tab');
    await clickMiddle(page, button(page, 'Register adapter'));
    await seen(page, /Fix the marked field\./);
    await seen(page, /must be an http or https URL/);
    await scrollToEnd(page);
    await assertPartClean(page.getByRole('main'), 'refused');
  });

  it('tests and registers an adapter of the catalog in 6 clicks', async () => {
    const { page } = await site.look('/ui/');
    const { click, clicks } = countedMouse(page);
    await click(page.getByRole('link', { name: 'Adapters', exact: true }));
    await click(button(page, 'Register adapter'));
    await page.keyboard.type('Cisco NSO');
    await click(page.getByRole('button', { name: /^Cisco NSO/ }));
    await focused(nameOf(page));
    await page.keyboard.type(NAME);
    await click(baseUrlOf(page));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('https://127.0.0.1:9');
    await click(button(page, 'Test connection'));
    await seen(page, 'The connection failed at the step TCP.');
    await click(button(page, 'Register adapter'));
    await arrived(page, NAME);
    assert.equal(clicks(), 6);
    const settings = (await documentOf(NAME)) as { baseUrl: string; auth: { password: string } };
    assert.equal(settings.baseUrl, 'https://127.0.0.1:9');
    assert.equal(settings.auth.password, `$VAULT_adapters/${NAME}#password`);
  });

  it('offers references to Vault, and tests them before they are used', async () => {
    const { page } = await site.look('/ui/new-adapter');
    await press(page, /^Cisco NSO/);
    const test = page.getByRole('button', { name: /^Test (?:\d+ )?references?$/ });
    await seen(page, 'Enter the name of the adapter to test its references.');
    assert.equal(await test.isDisabled(), true);
    await nameOf(page).fill('nso2.example.com');
    const password = page.getByRole('combobox', { name: /^Password/ });
    await clickMiddle(page, password);
    await page.getByRole('option', { name: '$VAULT_adapters/nso2.example.com#password' }).waitFor();
    await page.keyboard.press('Escape');
    await clickMiddle(page, test);
    await seen(page, 'No value');
    await seen(page, /adapters\/nso2\.example\.com/);
    await scrollToEnd(page);
    await assertFits(page, 'no value');
    await password.fill(`$SECRET_adapters/${NAME} $KEY_password`);
    await password.press('Tab');
    await clickMiddle(page, test);
    await seen(page, 'Vault has a value');
    await password.fill('text-of-a-password');
    assert.equal(await password.getAttribute('type'), 'password', 'a password is not shown');
    await assertFits(page, 'hidden text');
  });

  it('chooses a reference folder by folder, with the keyboard and by touch', async () => {
    const { page } = await site.look('/ui/new-adapter', { width: 390, height: 844 });
    await press(page, /^Cisco NSO/);
    const browse = page.getByRole('button', { name: /^Browse Vault: Password/ });
    await clickMiddle(page, browse);
    await seen(page, /Enter the name of the adapter first/);
    await page.keyboard.press('Escape');
    const name = nameOf(page);
    await name.fill(NAME);
    await name.press('Tab');
    await clickMiddle(page, browse);
    await seen(page, /"list"/);
    await assertPartClean(page.getByRole('dialog'), 'the policy denies the list');
    site.testServer.vault.putPolicy('gatehouse', {
      'secret/data/adapters/*': ['read'],
      'secret/metadata/adapters/*': ['list'],
    });
    await press(page, 'Read again');
    await press(page, new RegExp(`^${NAME}`));
    await seen(page, `Fields of adapters/${NAME}`);
    await press(page, /^keys/);
    const search = page.getByRole('textbox', { name: 'Search in this folder' });
    await search.fill('SSH');
    await seen(page, '1 name');
    await assertPartClean(page.getByRole('dialog'), 'a folder');
    await page.getByRole('button', { name: /^ssh/ }).focus();
    await page.keyboard.press('Enter');
    await focused(page.getByRole('button', { name: /^private key/ }));
    await page.keyboard.press('ArrowDown');
    await focused(page.getByRole('button', { name: /^public/ }));
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const password = page.getByRole('combobox', { name: /^Password/ });
    assert.equal(await password.inputValue(), `$VAULT_adapters/${NAME}/keys/ssh#private%20key`);
    await focused(browse);
    assert.equal((await page.content()).includes('value-of-the-key'), false);
    await assertFits(page, 'chosen');
  });

  it('keeps invalid JSON as text, and edits the same settings in both tabs', async () => {
    const { page } = await site.look('/ui/new-adapter', { width: 390, height: 844 });
    await press(page, /^OpenDaylight/);
    await nameOf(page).fill('odl1.example.com');
    await press(page, 'JSON');
    const json = page.getByRole('textbox', { name: 'Settings' });
    const write = (text: string) => pasteInto(json, text);
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
    await baseUrlOf(page).waitFor();
    await scrollToEnd(page);
    await assertFits(page);
    await press(page, 'Register adapter');
    await seen(page, 'This adapter cannot start: Vault has no secret adapters/odl1.example.com.');
    await page.getByRole('link', { name: 'Open Secrets' }).waitFor();
    assert.deepEqual(await documentOf('odl1.example.com'), { baseUrl: 'https://127.0.0.1:9', auth });
    await assertFits(page, 'missing secret');
  });

  it('asks before unsaved input is discarded, with the keyboard alone', async () => {
    const { page } = await site.look('/ui/new-adapter');
    await focused(page.getByLabel('Find an orchestrator'));
    await page.keyboard.type('netbox 4.5');
    await page.keyboard.press('Tab');
    await focused(page.getByRole('button', { name: /^NetBox 4\.5/ }));
    await page.keyboard.press('Enter');
    await focused(nameOf(page));
    await page.keyboard.type('netbox1.example.com');
    await page.getByRole('link', { name: 'Overview' }).first().focus();
    await page.keyboard.press('Enter');
    await press(await dialogOf(page), 'Cancel');
    await dialogGone(page);
    assert.equal(await nameOf(page).inputValue(), 'netbox1.example.com');
    await page.getByRole('link', { name: 'Overview' }).first().focus();
    await page.keyboard.press('Enter');
    await press(await dialogOf(page), 'Discard');
    await arrived(page, 'Overview');
  });

  it('changes a setting of a registered adapter in the form, and keeps the other members', async () => {
    const auth = { type: 'basic', username: 'g', password: `$VAULT_${SECRET.path}#${SECRET.field}` };
    const settings = { baseUrl: 'https://127.0.0.1:9', auth, timeouts: { totalMs: 20_000 } };
    await registerAdapter(site.ask, 'edge1', { model: 'restconf', brokers: ['device'], settings });
    const { page } = await site.look('/ui/adapters/edge1?tab=configuration');
    await press(page, 'Edit');
    const baseUrl = baseUrlOf(page);
    await baseUrl.fill('https://127.0.0.1:10');
    await baseUrl.press('Tab');
    await clickMiddle(page, button(page, 'Test connection'));
    await seen(page, 'The connection failed at the step TCP.');
    await scrollToEnd(page);
    await assertFits(page);
    await clickMiddle(page, button(page, 'Review changes'));
    await seen(page, /Lines: 1 changed/);
    await page.getByLabel('Reason').fill('new management address');
    const body = page.waitForRequest((one) => one.method() === 'PUT');
    await clickMiddle(page, button(page, 'Save and restart adapter'));
    const sent = (await body).postDataJSON() as { comment: string };
    assert.equal(sent.comment, 'new management address');
    await button(page, 'Edit').waitFor();
    assert.deepEqual(await documentOf('edge1'), { ...settings, baseUrl: 'https://127.0.0.1:10' });
  });

  it('asks before a tab, a key, the palette or Back discards changes of a registered adapter', async () => {
    const { page } = await site.look('/ui/adapters');
    await page.getByRole('link', { name: 'edge1', exact: true }).first().click();
    await arrived(page, 'edge1');
    await page.getByRole('tab', { name: 'Configuration' }).click();
    await press(page, 'Edit');
    const baseUrl = baseUrlOf(page);
    await baseUrl.fill('https://127.0.0.1:11');
    await baseUrl.press('Tab');
    const stays = async (leave: () => Promise<unknown>) => {
      await leave();
      await press(await dialogOf(page), 'Cancel');
      await dialogGone(page);
      assert.equal(await baseUrl.inputValue(), 'https://127.0.0.1:11');
      assert.match(page.url(), /\/adapters\/edge1\?tab=configuration$/);
    };
    await stays(() => clickMiddle(page, page.getByRole('tab', { name: 'Log', exact: true })));
    await stays(async () => {
      await button(page, 'Review changes').focus();
      await page.keyboard.press('g');
      await page.keyboard.press('o');
    });
    await stays(async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Health');
      await page.getByRole('option', { name: 'Health' }).first().click();
    });
    await stays(() => page.evaluate('history.back()'));
    await page.evaluate('history.back()');
    await press(await dialogOf(page), 'Discard');
    await dialogGone(page);
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await baseUrl.waitFor({ state: 'detached' });
  });
});
