import type { PageRoute } from '../../app/page-route.js';

/** One adapter. */
export const adapterPage: PageRoute = {
  path: '/adapters/:name',
  area: 'adapter',
  needs: 'getOverview',
  guide: 'manage-adapters-through-the-api',
  load: () => import('./adapter.js').then(({ AdapterPage }) => AdapterPage),
};
