import type { PageRoute } from '../../app/page-route.js';

/** References to secrets, and whether they can be read. */
export const secretsPage: PageRoute = {
  path: '/secrets',
  area: 'secrets',
  key: 's',
  needs: 'getSecrets',
  guide: 'use-secrets',
  command: 'gatehouse secrets',
  load: () => import('./secrets.js').then(({ Secrets }) => Secrets),
};
