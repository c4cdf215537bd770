import { arrived, assertCleanInBothThemes, button } from '../support/page-text.js';
import { consoleFor } from '../support/console-errors.js';

describe('the pages for people', function () {
  const { look } = consoleFor(this);

  it('signing in, light and dark: nothing that axe, the policy or the console complain of', async () => {
    const looked = await look('/ui/', { isStranger: true });
    await arrived(looked.page, 'gatehouse');
    await assertCleanInBothThemes(looked);
  });

  it('tells of a page that cannot be loaded, and leaves the rest of the console standing', async () => {
    const { page, go } = await look('/ui/', { mayFault: true });
    await page.route(/\/assets\/audit-/, (route) => route.abort());
    await go('/ui/audit');
    await button(page, 'Try again').waitFor();
    await page.getByRole('link', { name: 'Secrets' }).click();
    await arrived(page, 'Secrets');
  });
});
