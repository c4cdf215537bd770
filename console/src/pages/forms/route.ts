import type { PageRoute } from '../../app/page-route.js';

/** The list of forms. */
export const formsPage: PageRoute = {
  path: '/forms',
  area: 'forms',
  key: 'f',
  needs: 'getForms',
  guide: 'store-a-form',
  command: 'gatehouse forms',
  load: () => import('./forms.js').then(({ Forms }) => Forms),
};
