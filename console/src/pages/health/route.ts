import type { PageRoute } from '../../app/page-route.js';

/** The components and their checks. */
export const healthPage: PageRoute = {
  path: '/health',
  area: 'health',
  key: 'h',
  needs: 'getOverview',
  guide: 'monitor',
  load: () => import('./health.js').then(({ Health }) => Health),
};
