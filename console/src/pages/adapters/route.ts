import type { PageRoute } from '../../app/page-route.js';

/** The list of adapters. */
export const adaptersPage: PageRoute = {
  path: '/adapters',
  area: 'adapters',
  key: 'a',
  needs: 'getOverview',
  guide: 'register-an-adapter',
  command: 'gatehouse check',
  load: () => import('./adapters.js').then(({ Adapters }) => Adapters),
};
