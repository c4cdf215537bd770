import assert from 'node:assert/strict';
import { consoleFor } from '../support/console-errors.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openSilentServer } from '../support/odd-orchestrators.js';
import { assertClean, press, seen } from '../support/page-text.js';
import { until } from '../support/until.js';

describeWith([BROWSER, BUILT_PAGES], 'the REST tool', function () {
  const site = consoleFor(this);
  const { ask, look } = site;

  it('cancels a request to a target that never answers, and suggests its URI', async () => {
    const silent = await openSilentServer();
    const target = `127.0.0.1:${silent.port}`;
    const uri = `http://${target}/devices`;
    try {
      await ask('POST', '/profiles', { properties: { id: 'lab', egress: { allow: [target] } } });
      await ask('PUT', '/profiles/lab/active');
      const looked = await look('/ui/rest', { width: 390, height: 844 });
      const { page } = looked;
      await page.locator('input[type=url]').fill(uri);
      await page.locator('input[type=url]').press('Enter');
      await until(() => silent.connections() > 0);
      await press(page, 'Cancel');
      await seen(page, /^Canceled after /);
      await until(() => silent.connections() === 0);
      const suggestions = page.locator('datalist option');
      await suggestions.first().waitFor({ state: 'attached' });
      assert.equal(await suggestions.count(), 1);
      assert.equal(await suggestions.first().getAttribute('value'), uri);
      await assertClean(looked);
    } finally {
      await silent.close();
    }
  });
});
