import { BROWSER, BUILT_PAGES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { assertCleanInBothThemes } from '../support/page-text.js';
import { failRequests, PAGES } from '../support/console-pages.js';
import { consoleFor, type LookedAt } from '../support/console-errors.js';

describeWith([BROWSER, BUILT_PAGES], 'every page of the console', function () {
  const site = consoleFor(this);

  for (const [state, arrange] of [
    ['with little data', undefined],
    ['while requests fail', failRequests],
  ] as const)
    describe(state, () => {
      let looked: LookedAt;
      before(async () => {
        const token = site.testServer.issueToken('admin', 'engineering');
        looked = await site.look('/ui/nothing/here', {
          token,
          isKept: true,
          ...(arrange && { before: arrange }),
        });
      });

      for (const path of PAGES)
        it(`${path} is accessible, light and dark`, async () => {
          await looked.follow(`/ui${path}`);
          await assertCleanInBothThemes(looked);
        });
    });
});
