import type { PageRoute } from '../../app/page-route.js';

/** Designs one form. */
export const designerPage: PageRoute = {
  path: '/forms/:id',
  area: 'designer',
  needs: 'getFormById',
  guide: 'store-a-form',
  load: () => import('./designer.js').then(({ Designer }) => Designer),
};
