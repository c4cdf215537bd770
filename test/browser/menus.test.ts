import { consoleFor } from '../support/console-errors.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';

describeWith([BROWSER, BUILT_PAGES], 'the menus of the console', function () {
  const site = consoleFor(this);

  it('return the focus to the button of the user menu after a choice', async () => {
    const { page } = await site.look('/ui/adapters');
    await page.getByRole('button', { name: 'Account of ada', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Dark theme', exact: true }).press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.locator('button:focus', { hasText: 'ada' }).waitFor();
    await page.getByRole('button', { name: 'Account of ada', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Dark theme (selected)' }).waitFor();
  });

  it('return the focus to the button of the adapter menu after its dialog is canceled', async () => {
    const { page } = await site.look('/ui/adapters');
    await page.getByRole('button', { name: 'Actions for core1' }).click();
    await page.getByRole('menuitem', { name: 'Restart' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.locator('button:focus[aria-label="Actions for core1"]').waitFor();
  });
});
