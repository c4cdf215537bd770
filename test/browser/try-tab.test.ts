import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { assertClean, assertCleanInBothThemes, consoleFor } from '../support/console-errors.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { press, seen } from '../support/page-text.js';

describeWith([BROWSER, BUILT_PAGES], 'the tab Try of an adapter', function () {
  const site = consoleFor(this);

  it('shows what the orchestrator answered to a failed request, and offers the path again', async () => {
    const looked = await site.look('/ui/adapters/core1?tab=try');
    const { page } = looked;
    const path = page.getByLabel('Path');
    await path.fill('/restconf/data/ietf-ip:unknown');
    assert.equal(await page.getByLabel('Accept').inputValue(), 'application/yang-data+json');
    await page.keyboard.press('Tab');
    await press(page, 'Send');
    await seen(page, /^Answer of the orchestrator, status 4\d\d/);
    await assertCleanInBothThemes(looked);
    await path.fill('/restconf/data/ietf-interfaces:interfaces');
    await press(page, 'Send');
    await seen(page, /"ietf-interfaces:interfaces"/);
    const paths = page.locator('datalist option[value^="/"]');
    await paths.first().waitFor({ state: 'attached' });
    assert.equal(await paths.count(), 1);
    assert.equal(await paths.first().getAttribute('value'), '/restconf/data/ietf-interfaces:interfaces');
  });

  it('says at once that the adapter is paused, and cancels a request that waits', async () => {
    const { testServer } = site;
    const token = testServer.issueToken('admin');
    const act = (name: string) =>
      callUrl(`${testServer.url}/adapters/core1/${name}`, { method: 'PUT', token });
    assert.equal((await act('suspend')).status, 200);
    const looked = await site.look('/ui/adapters/core1?tab=try', { width: 390 });
    const { page } = looked;
    await seen(page, /The adapter core1 sends no calls now/);
    await page.getByLabel('Path').fill('/restconf/data/ietf-interfaces:interfaces');
    await press(page, 'Send');
    await press(page, 'Cancel');
    await seen(page, /^Canceled after /);
    await assertClean(looked);
    assert.equal((await act('start')).status, 200);
  });
});
