import type { PageRoute } from '../../app/page-route.js';

/** Sends one HTTP request from the server. */
export const restPage: PageRoute = {
  path: '/rest',
  area: 'rest',
  key: 'r',
  needs: 'restCall',
  guide: 'call-an-orchestrator',
  load: () => import('./rest-tool.js').then(({ RestTool }) => RestTool),
};
