import type { PageRoute } from '../../app/page-route.js';

/** Deprecated operations and their callers. */
export const deprecationsPage: PageRoute = {
  path: '/deprecations',
  area: 'deprecations',
  key: 'd',
  needs: 'getDeprecations',
  guide: 'find-callers-of-deprecated-operations',
  load: () => import('./deprecations.js').then(({ Deprecations }) => Deprecations),
};
