import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { changeReplies, consoleFor, describePages, registerAdapter } from '../support/console-errors.js';
import { assertClean, seen } from '../support/page-text.js';
import { eventually } from '../support/until.js';

const NAMES = ['service-account-of-the-orchestrator-east', 'ada', 'ci', 'nightly-inventory', 'provisioning'];
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

describePages('callers with errors', function () {
  const site = consoleFor(this, {
    fill: async ({ ask }) => {
      await registerAdapter(ask, 'nso1.example.com');
    },
  });

  /** Opens the overview as it is while all callers have many calls, of which some fail and some are rejected. */
  const look = async (language: 'de' | 'en'): Promise<Page> => {
    const traffic = rates(12_345, 3_141, 2_718);
    const before = async (page: Page): Promise<void> => {
      await page.route('**/console/events*', (route) => route.abort());
      await changeReplies(page, '**/console/overview', ({ server, adapters, ...body }: Overview) => ({
        ...body,
        server: { ...server, traffic },
        adapters: adapters.map((one) => ({ ...one, traffic })),
        callers: NAMES.map((name) => ({ name, ...traffic })),
      }));
    };
    const { page } = await site.look('/ui/', { language, before, mayFault: true });
    await page.locator('.gh-box-caller').first().waitFor();
    return page;
  };

  for (const language of ['en', 'de'] as const)
    it(`keep their names in the overview, in "${language}", on a desktop and on a phone`, async () => {
      const page = await look(language);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        // The page computes the boxes anew for another width.
        await eventually(async () => {
          const boxes = await page.evaluate<readonly MeasuredBox[]>(BOXES);
          const wrong = boxes.filter(({ text, overflow }) => text < 14 || overflow > 0);
          assert.deepEqual([boxes.map(({ name }) => name), wrong], [NAMES, []]);
        });
        await seen(page, language === 'en' ? /^22(?:\.\d)? % rejected$/ : /^22(?:,\d)? % abgelehnt$/);
      }
    });

  it('end their lines in the middle of their boxes', async () => {
    const page = await look('en');
    const away = await page.evaluate<readonly number[]>(`(() => {
      const paths = [...document.querySelector('.gh-fan').querySelectorAll('path')];
      return [...document.querySelectorAll('.gh-box-caller')].map((box, at) => {
        const start = paths[at].getPointAtLength(0).matrixTransform(paths[at].getScreenCTM());
        const { y, height } = box.getBoundingClientRect();
        return Math.abs(start.y - (y + height / 2));
      });
    })()`);
    assert.equal(away.length, NAMES.length);
    for (const distance of away) assert.ok(distance < 2, `a line ends ${distance} px beside the middle`);
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
    await assertClean(page);
  });
});
