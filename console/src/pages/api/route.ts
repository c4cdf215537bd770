import type { PageRoute } from '../../app/page-route.js';

/** Every operation of the API. */
export const apiPage: PageRoute = {
  path: '/api',
  area: 'api',
  key: 'i',
  needs: 'getOpenApi',
  guide: 'call-an-orchestrator',
  command: 'gatehouse openapi',
  load: () => import('./api-explorer.js').then(({ ApiExplorer }) => ApiExplorer),
};

/** One operation of the API. */
export const apiOperationPage: PageRoute = {
  path: '/api/:operation',
  area: 'api',
  needs: 'getOpenApi',
  guide: 'call-an-orchestrator',
  command: 'gatehouse openapi',
  load: () => import('./api-explorer.js').then(({ ApiExplorer }) => ApiExplorer),
};
