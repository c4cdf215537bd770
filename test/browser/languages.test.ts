import assert from 'node:assert/strict';
import { consoleFor } from '../support/console-errors.js';
import { PAGES } from '../support/console-pages.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { arrived, assertFits, button, cutOff, settled } from '../support/page-text.js';
import { messagesOf } from '../support/console-texts.js';

describeWith([BROWSER, BUILT_PAGES], 'the languages of the pages', function () {
  const site = consoleFor(this);

  it('are in the menu of the account, and stay chosen on this device', async () => {
    const { page, go } = await site.look('/ui/adapters');
    await arrived(page, 'Adapters');
    await button(page, /^Account of/).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await arrived(page, 'Adapter');
    await page.locator('html[lang=de]').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Übersicht', exact: true }).waitFor();
    await go('/ui/yang');
    await arrived(page, 'YANG zu Schema');
    await button(page, /^Konto von/).click();
    await page.getByRole('menuitem', { name: 'Sprache des Browsers' }).click();
    await arrived(page, 'YANG to schema');
  });

  for (const language of ['de', 'ja'])
    it(`${language}: no button of the designer is cut off`, async () => {
      const { doc } = (await site.ask('POST', '/json-forms/forms', {
        name: `Ports ${language}`,
        schema: { type: 'object', properties: { 'hold-time': { type: 'integer' } } },
      })) as { readonly doc: { readonly id: string } };
      const { page } = await site.look(`/ui/forms/${doc.id}`, {
        before: async (one) => {
          await one.addInitScript(`localStorage.setItem('gatehouse.language', '${language}')`);
        },
      });
      await page.getByRole('treeitem', { name: 'hold-time' }).waitFor();
      assert.deepEqual(await cutOff(page.locator('main button')), []);
    });

  for (const language of ['de', 'ja'])
    it(`${language}: every page fits on a screen of 320 px, under its title in this language`, async () => {
      const looked = await site.look('/ui/nothing/here', {
        width: 320,
        before: async (page) => {
          await page.addInitScript(`localStorage.setItem('gatehouse.language', '${language}')`);
        },
      });
      await settled(looked.page);
      const { shell = {}, profiles = {} } = messagesOf(language);
      const names = new Set([...Object.values(shell), profiles['new']]);
      for (const path of PAGES.filter((one) => one !== '/adapters/core1')) {
        await looked.follow(`/ui${path}`);
        await assertFits(looked, path);
        const title = (await looked.page.getByRole('heading', { level: 1 }).innerText()).trim();
        assert.ok(names.has(title), `${path} has the title "${title}"`);
      }
    });
});
