import assert from 'node:assert/strict';
import { accessibilityFaults, lackOfBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openWorld, type World } from '../support/world.js';

describe('the pages for people', function () {
  this.timeout(60_000);
  let world: World;
  let browser: TestBrowser;

  before(async function () {
    const lack = lackOfBrowser();
    if (lack !== undefined) {
      process.stderr.write(`  skipped: ${lack}\n`);
      this.skip();
    }
    world = await openWorld({ folder: temporaryFolder().path });
    browser = await openBrowser();
  });
  after(async () => {
    await (browser as TestBrowser | undefined)?.close();
    await (world as World | undefined)?.close();
  });

  for (const theme of ['light', 'dark'] as const)
    it(`signing in, ${theme}: nothing that axe, the policy or the console complain of`, async () => {
      const looked = await browser.look(world.url, { theme });
      const { page, faults } = looked;
      await page.goto(`${world.url}/ui/`);
      await page.getByRole('heading', { name: 'gatehouse' }).waitFor();
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.deepEqual(faults, []);
      await looked.close();
    });

  it('tells of a page that cannot be loaded, and leaves the rest of the console standing', async () => {
    const looked = await browser.look(world.url, { token: world.mint('admin') });
    const { page } = looked;
    await page.route(/\/assets\/audit-/, (route) => route.abort());
    await page.goto(`${world.url}/ui/audit`);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.getByRole('link', { name: 'Secrets' }).click();
    await page.getByRole('heading', { name: 'Secrets', level: 1 }).waitFor();
    await looked.close();
  });
});
