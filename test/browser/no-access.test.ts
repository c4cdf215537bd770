import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertCleanInBothThemes, seen } from '../support/page-text.js';
import { consoleFor } from '../support/console-errors.js';

const GONE = `/json-forms/task/ShowJsonForm?task=${'0'.repeat(24)}`;

describeWith([BROWSER, BUILT_PAGES], 'a page that the person may not open', function () {
  const site = consoleFor(this, { fill: () => Promise.resolve() });

  it('names the missing roles and the person in the console, and links to the sign-in', async () => {
    const looked = await site.look('/ui/tasks', { role: 'viewer' });
    const { page } = looked;
    await seen(page, /This page needs one of these roles: admin or engineering\./);
    await seen(page, /You are signed in as ada, with the role viewer\./);
    const link = page.getByRole('link', { name: 'sign in as another person' });
    await link.and(page.locator('[href="/ui/sign-in?return=%2Fui%2Ftasks&prompt=login"]')).waitFor();
    await assertCleanInBothThemes(looked);
    await link.click();
    await page.getByRole('textbox', { name: 'Token' }).waitFor();
  });

  it('names the missing roles and the person in place of a task', async () => {
    const { page } = await site.look(GONE, { role: 'viewer' });
    await seen(page, 'This page is not open to you');
    await seen(page, /needs one of these roles: admin, engineering/);
    await seen(page, 'viewer');
    await page.getByRole('link', { name: 'Sign in with another account' }).waitFor();
  });

  it('names the person in place of a task that is gone', async () => {
    const looked = await site.look(GONE, { role: 'engineering' });
    const { page } = looked;
    await seen(page, 'This task does not exist.');
    await seen(page, /You are signed in as ada, with the role engineering\./);
    await page.getByRole('link', { name: 'Sign in as another person' }).waitFor();
    await assertCleanInBothThemes(looked);
  });
});
