import type { PageRoute } from '../../app/page-route.js';

/** Who may call what. */
export const accessPage: PageRoute = {
  path: '/access',
  area: 'access',
  key: 'c',
  needs: 'getAdapterAccess',
  guide: 'control-access',
  command: 'gatehouse can',
  load: () => import('./access.js').then(({ Access }) => Access),
};
