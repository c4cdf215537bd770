import { describePages } from '../support/console-errors.js';
import { PAGES } from '../support/console-pages.js';
import { galleryFor } from '../support/form-gallery.js';
import {
  assertClean,
  assertColorsClean,
  assertFits,
  assertFocusSeen,
  assertSpacedTextFits,
  settled,
} from '../support/page-text.js';

/** Presses of Tab on each page. */
const PRESSES = 8;

describePages('every page of the console on other screens', function () {
  const { site, gallery } = galleryFor(this);
  const inConsole = () => [
    ...PAGES,
    `/forms/${gallery().formId}`,
    `/profiles/${gallery().profileId}`,
    '/api/restCall',
  ];
  const others = () => [
    `/ui/forms/${gallery().formId}?view=source`,
    `/ui/profiles/${gallery().profileId}?tab=edit`,
    `/json-forms/task/ShowJsonForm?task=${gallery().formTask}`,
  ];

  for (const [name, how, assertFine, isFocusChecked] of [
    ['320 px wide', { width: 320 }, assertClean, true],
    ['at 200 %', { width: 640, height: 450, scale: 2 }, assertFits, false],
    ['in the colors of the system', { isForced: true }, assertColorsClean, true],
    ['with the text spacing of WCAG 1.4.12', { width: 1280 }, assertSpacedTextFits, false],
  ] as const)
    it(`${name}: has no horizontal scrolling${isFocusChecked ? ', and shows the focus' : ''}`, async () => {
      const { page, go, follow } = await site.look('/ui/nothing/here', {
        token: site.testServer.issueToken('admin', 'engineering'),
        ...how,
      });
      const check = async (path: string): Promise<void> => {
        await assertFine(page, path);
        for (let presses = 0; isFocusChecked && presses < PRESSES; presses += 1)
          await assertFocusSeen(page, path);
      };
      await settled(page);
      for (const path of inConsole().map((one) => `/ui${one}`)) {
        await follow(path);
        await check(path);
      }
      for (const path of others()) {
        await go(path);
        await check(path);
      }
    });
});
