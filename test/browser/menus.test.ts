import { consoleFor } from '../support/console-errors.js';

describe('console: menus', function () {
  const site = consoleFor(this);

  it('of the reader: after a choice the focus is on its button again, not lost', async () => {
    const { page } = await site.look('/ui/adapters');
    await page.getByRole('button', { name: 'ada', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Dark', exact: true }).press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.locator('button:focus', { hasText: 'ada' }).waitFor();
    await page.getByRole('button', { name: 'ada', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Dark (selected)' }).waitFor();
  });

  it('of an adapter: a dialog that is left gives the focus back to the button', async () => {
    const { page } = await site.look('/ui/adapters');
    await page.getByRole('button', { name: 'Actions for core1' }).click();
    await page.getByRole('menuitem', { name: 'Restart' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.locator('button:focus[aria-label="Actions for core1"]').waitFor();
  });
});
