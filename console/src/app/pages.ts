import { accessPage } from '../pages/access/route.js';
import { adapterPage } from '../pages/adapter/route.js';
import { adaptersPage } from '../pages/adapters/route.js';
import { apiOperationPage, apiPage } from '../pages/api/route.js';
import { auditPage } from '../pages/audit/route.js';
import { newAdapterPage } from '../pages/configure/route.js';
import { deprecationsPage } from '../pages/deprecations/route.js';
import { designerPage } from '../pages/designer/route.js';
import { formsPage } from '../pages/forms/route.js';
import { healthPage } from '../pages/health/route.js';
import { limitsPage } from '../pages/limits/route.js';
import { logPage } from '../pages/log/route.js';
import { notificationsPage } from '../pages/notifications/route.js';
import { overviewPage } from '../pages/overview/route.js';
import { newProfilePage, profilePage, profilesPage } from '../pages/profiles/route.js';
import { restPage } from '../pages/rest/route.js';
import { secretsPage } from '../pages/secrets/route.js';
import { tasksPage } from '../pages/tasks/route.js';
import { yangPage } from '../pages/yang/route.js';
import type { PlainKeyOf } from '../text/text.js';
import type { PageRoute } from './page-route.js';

/** Every page, in groups, in the order of the navigation. */
export const PAGE_GROUPS: readonly {
  /** Message of the title of the group. */
  readonly group: PlainKeyOf<'shell'>;
  readonly pages: readonly PageRoute[];
}[] = [
  {
    group: 'operations',
    pages: [
      overviewPage,
      adaptersPage,
      newAdapterPage,
      adapterPage,
      healthPage,
      logPage,
      limitsPage,
      notificationsPage,
    ],
  },
  { group: 'formsGroup', pages: [formsPage, designerPage, yangPage, tasksPage] },
  { group: 'configuration', pages: [profilesPage, newProfilePage, profilePage, deprecationsPage] },
  { group: 'security', pages: [secretsPage, accessPage, auditPage] },
  { group: 'developerTools', pages: [apiPage, apiOperationPage, restPage] },
];

/** The pages of all groups. */
export const PAGES: readonly PageRoute[] = PAGE_GROUPS.flatMap(({ pages }) => pages);
