import type { PageRoute } from '../../app/page-route.js';

/** The audit trail. */
export const auditPage: PageRoute = {
  path: '/audit',
  area: 'audit',
  key: 'l',
  needs: 'getAudit',
  guide: 'use-the-audit-trail',
  command: 'gatehouse audit',
  load: () => import('./audit.js').then(({ Audit }) => Audit),
};
