import type { PageRoute } from '../../app/page-route.js';

/** What is wrong, and the way of the calls. */
export const overviewPage: PageRoute = {
  path: '/',
  area: 'overview',
  key: 'o',
  needs: 'getOverview',
  guide: 'use-the-console',
  load: () => import('./overview.js').then(({ Overview }) => Overview),
};
