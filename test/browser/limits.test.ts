import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { consoleFor } from '../support/console-errors.js';
import { assertFits, assertPartClean, seen } from '../support/page-text.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';

const PHONE = { width: 390, height: 844 };

describeWith([BROWSER, BUILT_PAGES], 'the page of limits', function () {
  const site = consoleFor(this, {
    arrange: (folder) => {
      appendFileSync(
        join(folder, 'gatehouse.yaml'),
        `limits:
  a-limit-with-a-rather-long-name-for-all-scripts: { operations: [login.whoami], adapters: [], requests: 2, periodSeconds: 86400 }
  nso-writes: { per: client, operations: [orchestrator-manager.restAction], adapters: ["nso*.example.com"], requests: 10, burst: 3, concurrent: 2 }
`,
      );
    },
    fill: async ({ testServer }) => {
      const token = testServer.issueTokenFor('night-script', 'admin');
      for (let call = 0; call < 3; call += 1)
        await callUrl(`${testServer.url}/whoami`, { method: 'GET', token });
    },
  });

  it('shows the limits, and who is at them', async () => {
    const looked = await site.look('/ui/limits', { token: site.testServer.issueToken('viewer') });
    const { page } = looked;
    await seen(page, 'night-script');
    await seen(page, 'at the limit');
    await seen(page, '10 calls in 60 seconds');
    await seen(page, 'at most 3 at once');
    await seen(page, 'adapters: nso*.example.com');
    const rows = await page.getByRole('row', { name: /night-script/ }).innerText();
    assert.match(rows, /100 %/);
    await assertPartClean(looked, page.getByRole('main'), '/ui/limits');
  });

  it('fits on a phone', async () => {
    const looked = await site.look('/ui/limits', { ...PHONE, token: site.testServer.issueToken('admin') });
    await seen(looked.page, 'at the limit');
    await assertFits(looked, '/ui/limits');
  });
});
