import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { consoleFor, describePages } from '../support/console-errors.js';
import { assertFits, assertPartClean, seen } from '../support/page-text.js';

describePages('the page of limits', function () {
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

  it('shows the limits, and who is at them, also on a phone', async () => {
    const { page } = await site.look('/ui/limits', { token: site.testServer.issueToken('viewer') });
    await seen(page, 'night-script');
    await seen(page, 'at the limit');
    await seen(page, '10 calls in 60 seconds');
    await seen(page, 'at most 3 at once');
    await seen(page, 'adapters: nso*.example.com');
    const rows = await page.getByRole('row', { name: /night-script/ }).innerText();
    assert.match(rows, /100 %/);
    await assertPartClean(page.getByRole('main'));
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
  });
});
