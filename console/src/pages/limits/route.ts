import type { PageRoute } from '../../app/page-route.js';

/** Limits of callers. */
export const limitsPage: PageRoute = {
  path: '/limits',
  area: 'limits',
  key: 'm',
  needs: 'getLimits',
  guide: 'limit-callers',
  load: () => import('./limits.js').then(({ Limits }) => Limits),
};
