import type { PageRoute } from '../../app/page-route.js';

/** Registers an adapter. */
export const newAdapterPage: PageRoute = {
  // Not below /adapters, where the path would be that of an adapter with this name.
  path: '/new-adapter',
  area: 'new-adapter',
  needs: 'createAdapter',
  guide: 'register-an-adapter',
  command: 'gatehouse check',
  load: () => import('./register-adapter.js').then(({ RegisterAdapter }) => RegisterAdapter),
};
