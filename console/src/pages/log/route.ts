import type { PageRoute } from '../../app/page-route.js';

/** What the server writes to its log. */
export const logPage: PageRoute = {
  path: '/log',
  area: 'log',
  key: 'e',
  needs: 'getLogLines',
  guide: 'collect-logs-and-traces',
  load: () => import('./log.js').then(({ Log }) => Log),
};
