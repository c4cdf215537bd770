import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { arrived, assertCleanInBothThemes, button } from '../support/page-text.js';
import { consoleFor } from '../support/console-errors.js';

describeWith([BROWSER, BUILT_PAGES], 'the console', function () {
  const { look } = consoleFor(this);

  it('shows the sign-in page without accessibility, CSP or console errors, light and dark', async () => {
    const looked = await look('/ui/', { isStranger: true });
    await arrived(looked.page, 'gatehouse');
    await assertCleanInBothThemes(looked);
  });

  it('reports a page that cannot be loaded, and keeps the other pages usable', async () => {
    const { page, go } = await look('/ui/', { mayFault: true });
    await page.route(/\/assets\/audit-/, (route) => route.abort());
    await go('/ui/audit');
    await button(page, 'Try again').waitFor();
    await page.getByRole('link', { name: 'Secrets' }).click();
    await arrived(page, 'Secrets');
  });
});
