import assert from 'node:assert/strict';
import { consoleFor } from '../support/console-errors.js';
import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertClean, assertFits, seen } from '../support/page-text.js';

const NAMES = ['service-account-of-the-orchestrator-east', 'ada', 'ci', 'nightly-inventory', 'provisioning'];
const rates = (calls: number, errors: number, clientErrors: number) => ({
  ...{
    calls,
    errors,
    clientErrors,
    perMinute: calls / 5,
    errorsPerMinute: errors / 5,
    p50Ms: 12,
    p95Ms: 1234,
  },
});

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

describeWith([BROWSER, BUILT_PAGES], 'callers with errors', function () {
  const site = consoleFor(this, {
    fill: ({ ask }) =>
      ask('POST', '/adapters', {
        properties: {
          name: 'nso1.example.com',
          model: 'http-rest',
          properties: { properties: { baseUrl: 'https://127.0.0.1:9' } },
        },
      }).then(() => undefined),
  });

  /** Opens the overview as it is while all callers have many calls, of which some fail and some are rejected. */
  const look = (language: string, size: { readonly width: number; readonly height: number }) =>
    site.look('/ui/', {
      ...size,
      before: async (page) => {
        await page.addInitScript(`localStorage.setItem('gatehouse.language', '${language}')`);
        await page.route('**/console/events*', (route) => route.abort());
        await page.route('**/console/overview', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as {
            server: object;
            adapters: readonly object[];
          };
          const traffic = rates(12_345, 3_141, 2_718);
          await route.fulfill({
            response,
            json: {
              ...body,
              server: { ...body.server, traffic },
              adapters: body.adapters.map((one) => ({ ...one, traffic })),
              callers: NAMES.map((name) => ({ name, ...traffic })),
            },
          });
        });
      },
      mayFault: true,
    });

  for (const language of ['en', 'de'])
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ])
      it(`keep their names in the overview, in "${language}" at ${size.width} px`, async () => {
        const looked = await look(language, size);
        const { page } = looked;
        await page.locator('.gh-box-caller').first().waitFor();
        const boxes = await page.evaluate<readonly MeasuredBox[]>(BOXES);
        assert.deepEqual(
          boxes.map(({ name }) => name),
          NAMES,
        );
        for (const { name, text, overflow } of boxes) {
          assert.ok(text >= 14, `the name ${name} is ${text} px high`);
          assert.ok(overflow <= 0, `the box of ${name} overflows by ${overflow} px`);
        }
        await seen(page, language === 'en' ? /^22(?:\.\d)? % rejected$/ : /^22(?:,\d)? % abgelehnt$/);
      });

  it('end their lines in the middle of their boxes', async () => {
    const { page } = await look('en', { width: 1440, height: 900 });
    await page.locator('.gh-box-caller').first().waitFor();
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
    const looked = await site.look('/ui/adapters', {
      before: async (page) => {
        await page.route('**/console/overview', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as { adapters: readonly object[] };
          const adapters = body.adapters.map((one) => ({ ...one, traffic: rates(6_000, 0, 6_000) }));
          await route.fulfill({ response, json: { ...body, adapters } });
        });
      },
    });
    await seen(looked.page.getByRole('table', { name: 'Adapters' }), '100 % rejected');
    await assertFits(looked);
    await assertClean(looked);
  });
});
