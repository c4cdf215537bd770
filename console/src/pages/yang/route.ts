import type { PageRoute } from '../../app/page-route.js';

/** Converts YANG modules to JSON Schema. */
export const yangPage: PageRoute = {
  path: '/yang',
  area: 'yang',
  key: 'y',
  needs: 'yangToSchema',
  guide: 'convert-yang',
  command: 'gatehouse yang',
  load: () => import('./yang.js').then(({ Yang }) => Yang),
};
