import type { Page } from 'playwright-core';
import { consoleFor, describePages } from '../support/console-errors.js';
import { assertFits, assertPartClean, button, seen } from '../support/page-text.js';
import { clickMiddle } from '../support/pointer.js';
import { yang11 } from '../support/yang.js';

const SITE = yang11(
  'site-model',
  `import ietf-inet-types { prefix inet; }
   container site { leaf address { type inet:ip-address; must ". != '0.0.0.0'"; } leaf mtu { type uint16; when "../address"; } }`,
);
const DEVICE = yang11('device-model', 'container device { leaf hostname { type string; } }');

describePages('the YANG page', function () {
  const site = consoleFor(this);

  async function addTexts(page: Page): Promise<void> {
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    await page
      .locator('input[type=file]')
      .setInputFiles([file('site-model.yang', SITE), file('device-model.yang', DEVICE)]);
    await seen(page, 'device-model.yang');
  }

  it('converts all modules to one document, and shows the modules of gatehouse and the numbers of warnings', async () => {
    const { page } = await site.look('/ui/yang');
    await addTexts(page);
    await page.getByLabel('Document').selectOption('One document with the data of all modules');
    await clickMiddle(page, button(page, 'Convert'));
    await seen(page, 'Schema of datastore');
    await seen(page, /^Included with gatehouse:/);
    await seen(page, 'ietf-inet-types');
    await button(page, '1 must').waitFor();
    await button(page, '1 when').waitFor();
    await assertPartClean(page.getByRole('main'));
  });

  it('converts for a form library, whose schema is no form of gatehouse', async () => {
    const { page } = await site.look('/ui/yang', { width: 390, height: 844 });
    await addTexts(page);
    await page.getByLabel('Form library').selectOption('JSON Forms');
    await clickMiddle(page, button(page, 'Convert'));
    await seen(page, /^The schema is for JSON Forms\./);
    await seen(page, 'Download UI schema');
    await assertFits(page);
    await page.getByLabel('Form library').selectOption('Validators and forms of gatehouse');
    await clickMiddle(page, button(page, 'Convert'));
    await button(page, 'Create form').waitFor();
  });
});
