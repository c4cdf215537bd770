import type { PageRoute } from '../../app/page-route.js';

/** The problems, and which calls pass through which adapters. */
export const overviewPage: PageRoute = {
  path: '/',
  area: 'overview',
  key: 'o',
  needs: 'getOverview',
  guide: 'use-the-console',
  load: () => import('./overview.js').then(({ Overview }) => Overview),
};
