import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { consoleFor, describePages } from '../support/console-errors.js';
import { assertFits, assertPartClean, focused, seen } from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';

/** Adapters of one orchestrator, whose database is locked. */
const NAMES = Array.from({ length: 10 }, (_, at) => `nso${at + 1}.edge-berlin.example.com`);
const CALLS = 3;

describePages('calls that fail by one cause', function () {
  const orchestrator = createServer((_req, res) => {
    res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"database is locked"}');
  });
  let host = '';
  before(async () => {
    orchestrator.listen(0, '127.0.0.1');
    await once(orchestrator, 'listening');
    host = `127.0.0.1:${(orchestrator.address() as AddressInfo).port}`;
  });
  after(() => {
    orchestrator.closeAllConnections();
    orchestrator.close();
  });
  const site = consoleFor(this, {
    arrange(folder) {
      const lines = ['plugin: http-rest', `baseUrl: http://${host}`, 'auth: { type: none }'];
      const more = [
        'health: { intervalSeconds: 0 }',
        'breaker: { failures: 1000 }',
        'retry: { attempts: 1 }',
        '',
      ];
      for (const name of NAMES)
        writeFileSync(join(folder, 'adapters', `${name}.yaml`), [...lines, ...more].join('\n'));
    },
    fill: async ({ testServer }) => {
      const token = testServer.issueToken('admin');
      for (const name of NAMES)
        for (let call = 0; call < CALLS; call += 1) {
          const url = `${testServer.url}/orchestrator_manager/restQuery/${name}`;
          const headers = { 'x-request-id': `order-4711-${name}-${call}` };
          await callUrl(url, {
            token,
            headers,
            body: { params: { path: '/devices/1234', accept: 'application/json' } },
          });
        }
    },
  });

  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    it(`are one problem with the answer and the host, at ${width} px (N14: ten equal problems)`, async () => {
      const { page } = await site.look('/ui/', { width, height });
      const problems = page.getByRole('region', { name: 'Problems (1)' });
      await seen(problems, `10 adapters: ${host} answers 500 (database is locked)`);
      await seen(problems, /^100\s?% of the calls fail\.$/);
      const names = problems.getByText('Show 10 adapters');
      await (width === 390 ? tapMiddle(page, names) : clickMiddle(page, names));
      await problems.getByRole('link', { name: NAMES[9]!, exact: true }).waitFor();
      await assertPartClean(problems);
      await assertFits(page);
    });

  it('are found in the palette by id, path, status and person', async () => {
    const { page } = await site.look('/ui/forms', { width: 1280, height: 900 });
    await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /^Page, adapter/ });
    await focused(field);
    for (const words of ['ORDER-4711', '/devices/12', '502', 'ada']) {
      await field.fill(words);
      await page
        .getByRole('option', { name: /\/devices\/1234 · nso\d+\.edge-berlin\.example\.com · 502 · ada/ })
        .first()
        .waitFor();
    }
    await field.fill(`order-4711-${NAMES[3]!}-2`);
    const found = page.getByRole('option', { name: new RegExp(`· ${NAMES[3]!} ·`) });
    await found.waitFor();
    assert.equal(await found.count(), 1);
    await clickMiddle(page, found);
    await page.getByRole('dialog', { name: `Request order-4711-${NAMES[3]!}-2` }).waitFor();
  });
});
