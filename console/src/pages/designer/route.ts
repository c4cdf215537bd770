import type { PageRoute } from '../../app/page-route.js';

export const designerPage: PageRoute = {
  path: '/forms/:id',
  area: 'designer',
  needs: 'getFormById',
  guide: 'store-a-form',
  load: () => import('./designer.js').then(({ Designer }) => Designer),
};
