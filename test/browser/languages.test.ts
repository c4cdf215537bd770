import assert from 'node:assert/strict';
import { consoleFor, createForm, describePages } from '../support/console-errors.js';
import { PAGES } from '../support/console-pages.js';
import { messagesOf } from '../support/console-texts.js';
import { arrived, assertFits, button, cutOff, settled } from '../support/page-text.js';

describePages('the languages of the pages', function () {
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

  for (const language of ['de', 'ja'] as const)
    it(`${language}: no button of the designer is cut off`, async () => {
      const doc = await createForm(site.ask, {
        name: `Ports ${language}`,
        schema: { type: 'object', properties: { 'hold-time': { type: 'integer' } } },
      });
      const { page } = await site.look(`/ui/forms/${doc.id}`, { language });
      await page.getByRole('treeitem', { name: 'hold-time' }).waitFor();
      assert.deepEqual(await cutOff(page.locator('main button')), []);
    });

  for (const language of ['de', 'ja'] as const)
    it(`${language}: every page fits on a screen of 320 px, under its title in this language`, async () => {
      const { page, follow } = await site.look('/ui/nothing/here', { width: 320, language });
      await settled(page);
      const texts = messagesOf(language);
      const names = new Set([...Object.values(texts).map(({ title }) => title), texts['profiles']?.['new']]);
      for (const path of PAGES.filter((one) => one !== '/adapters/core1')) {
        await follow(`/ui${path}`);
        await assertFits(page, path);
        const title = (await page.getByRole('heading', { level: 1 }).innerText()).trim();
        assert.ok(names.has(title), `${path} has the title "${title}"`);
      }
    });
});
