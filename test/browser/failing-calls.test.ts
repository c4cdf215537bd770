import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { callUrl } from '../support/call.js';
import { changeReplies, consoleFor, describePages } from '../support/console-errors.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedBySuite } from '../support/opened.js';
import { assertColorsClean, assertFits, assertPartClean, focused, seen } from '../support/page-text.js';
import { clickMiddle, tapMiddle } from '../support/pointer.js';
import { eventually } from '../support/until.js';

/** Adapters of one orchestrator, whose database is locked. */
const NAMES = Array.from({ length: 10 }, (_, at) => `nso${at + 1}.edge-berlin.example.com`);
const CALLS = 3;

const CALLERS = [
  'service-account-of-the-orchestrator-east',
  'ada',
  'ci',
  'nightly-inventory',
  'provisioning',
];
const rates = (calls: number, errors: number, clientErrors: number) => ({
  ...{ calls, errors, clientErrors, perMinute: calls / 5, errorsPerMinute: errors / 5 },
  ...{ p50Ms: 12, p95Ms: 1234 },
});

/** The members of the reply that the tests change. */
interface Overview {
  readonly server: object;
  readonly adapters: readonly object[];
}

interface MeasuredBox {
  readonly name: string;
  readonly text: number;
  readonly overflow: number;
}

/** The height of each caller's name, and how far the content of its box leaves the box. */
const BOXES = `[...document.querySelectorAll('.gh-box-caller')].map((box) => ({
  name: box.querySelector('strong').innerText,
  text: box.querySelector('strong').getBoundingClientRect().height,
  overflow: Math.max(...[...box.querySelectorAll('*')].map((one) => one.getBoundingClientRect().bottom)) - box.getBoundingClientRect().bottom,
}))`;

/** How far the lines of the callers end from the middle of their boxes. */
const LINES = `(() => {
  const paths = [...document.querySelector('.gh-fan').querySelectorAll('path')];
  return [...document.querySelectorAll('.gh-box-caller')].map((box, at) => {
    const start = paths[at].getPointAtLength(0).matrixTransform(paths[at].getScreenCTM());
    const { y, height } = box.getBoundingClientRect();
    return Math.abs(start.y - (y + height / 2));
  });
})()`;

describePages('calls that fail by one cause', function () {
  let host: string;
  const opened = openedBySuite();
  before(async () => {
    const server = createServer((_req, res) => {
      res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"database is locked"}');
    });
    ({ host } = await opened(listenOnLoopback(server)));
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

  it('are one problem with the answer and the host, also on a phone (N14: ten equal problems)', async () => {
    const { page } = await site.look('/ui/', { width: 390, height: 844 });
    const problems = page.getByRole('region', { name: 'Problems (1)' });
    await seen(problems, `10 adapters: ${host} answers 500 (database is locked)`);
    await seen(problems, /^100\s?% of the calls fail\.$/);
    const names = problems.getByText('Show 10 adapters');
    const last = problems.getByRole('link', { name: NAMES[9]!, exact: true });
    await tapMiddle(page, names);
    await last.waitFor();
    await assertPartClean(problems);
    await assertFits(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await clickMiddle(page, names);
    await last.waitFor({ state: 'hidden' });
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
      const call = /\/devices\/1234 · nso\d+\.edge-berlin\.example\.com · 502 · ada/;
      await page.getByRole('option', { name: call }).first().waitFor();
    }
    await field.fill(`order-4711-${NAMES[3]!}-2`);
    const found = page.getByRole('option', { name: new RegExp(`· ${NAMES[3]!} ·`) });
    await found.waitFor();
    assert.equal(await found.count(), 1);
    await clickMiddle(page, found);
    await page.getByRole('dialog', { name: `Request order-4711-${NAMES[3]!}-2` }).waitFor();
  });

  /** Opens the overview as it is while all callers have many calls, of which some fail and some are rejected. */
  const lookBusy = async (language: 'de' | 'en'): Promise<Page> => {
    const traffic = rates(12_345, 3_141, 2_718);
    const before = async (page: Page): Promise<void> => {
      await page.route('**/console/events*', (route) => route.abort());
      await changeReplies(page, '**/console/overview', ({ server, adapters, ...body }: Overview) => ({
        ...body,
        server: { ...server, traffic },
        adapters: adapters.map((one) => ({ ...one, traffic })),
        callers: CALLERS.map((name) => ({ name, ...traffic })),
      }));
    };
    const { page } = await site.look('/ui/', { language, before, mayFault: true });
    await page.locator('.gh-box-caller').first().waitFor();
    return page;
  };

  for (const language of ['en', 'de'] as const)
    it(`keep their names in the overview, in "${language}", on a desktop and on a phone`, async () => {
      const page = await lookBusy(language);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        // The page computes the boxes anew for another width.
        await eventually(async () => {
          const boxes = await page.evaluate<readonly MeasuredBox[]>(BOXES);
          const wrong = boxes.filter(({ text, overflow }) => text < 14 || overflow > 0);
          assert.deepEqual([boxes.map(({ name }) => name), wrong], [CALLERS, []]);
        });
        if (width === 1440) {
          const away = await page.evaluate<readonly number[]>(LINES);
          assert.equal(away.length, CALLERS.length);
          assert.ok(Math.max(...away) < 2, `a line ends ${Math.max(...away)} px beside the middle`);
        }
        await seen(page, language === 'en' ? /^22(?:\.\d)? % rejected$/ : /^22(?:,\d)? % abgelehnt$/);
      }
    });

  it('show an adapter whose calls are all rejected as such, not as 0 % errors', async () => {
    const { page } = await site.look('/ui/adapters', {
      before: async (page) => {
        const traffic = rates(6_000, 0, 6_000);
        await changeReplies(page, '**/console/overview', ({ adapters, ...body }: Overview) => ({
          ...body,
          adapters: adapters.map((one) => ({ ...one, traffic })),
        }));
      },
    });
    await seen(page.getByRole('table', { name: 'Adapters' }), '100 % rejected');
    await assertColorsClean(page);
  });
});
