import type { ComponentType } from 'react';
import type { PlainKeyOf } from '../text/text.js';

/** A page of the console. */
export interface NavEntry {
  /** Path below /ui; `:name` is a parameter. */
  readonly path: string;
  /** Message of the title in the navigation; absent for a page that is reached from another page. */
  readonly title?: PlainKeyOf<'shell'>;
  /** Second key of the shortcut that opens the page: `a` for `g` then `a`. */
  readonly key?: string;
  /**
   * Id of the operation that the page needs; users who may not call it do not see the page in the navigation.
   */
  readonly needs: string;
  /** Loads the page when it is first opened. */
  readonly load: () => Promise<ComponentType>;
}

/** Every page, in groups, in the order of the navigation. */
export const NAV_GROUPS: readonly {
  /** Message of the title of the group. */
  readonly group: PlainKeyOf<'shell'>;
  readonly pages: readonly NavEntry[];
}[] = [
  {
    group: 'operations',
    pages: [
      {
        path: '/',
        title: 'overview',
        key: 'o',
        needs: 'getOverview',
        load: () => import('../pages/overview/overview.js').then(({ Overview }) => Overview),
      },
      {
        path: '/adapters',
        title: 'adapters',
        key: 'a',
        needs: 'getOverview',
        load: () => import('../pages/adapters/adapters.js').then(({ Adapters }) => Adapters),
      },
      {
        // Not below /adapters, where the path would be that of an adapter with this name.
        path: '/new-adapter',
        needs: 'createAdapter',
        load: () =>
          import('../pages/configure/register-adapter.js').then(({ RegisterAdapter }) => RegisterAdapter),
      },
      {
        path: '/adapters/:name',
        needs: 'getOverview',
        load: () => import('../pages/adapter/adapter.js').then(({ AdapterPage }) => AdapterPage),
      },
      {
        path: '/health',
        title: 'health',
        key: 'h',
        needs: 'getOverview',
        load: () => import('../pages/health/health.js').then(({ Health }) => Health),
      },
      {
        path: '/log',
        title: 'log',
        key: 'e',
        needs: 'getLogLines',
        load: () => import('../pages/log/log.js').then(({ Log }) => Log),
      },
      {
        path: '/limits',
        title: 'limits',
        key: 'm',
        needs: 'getLimits',
        load: () => import('../pages/limits/limits.js').then(({ Limits }) => Limits),
      },
      {
        path: '/notifications',
        title: 'notifications',
        key: 'n',
        needs: 'getNotifications',
        load: () =>
          import('../pages/notifications/notifications.js').then(({ Notifications }) => Notifications),
      },
    ],
  },
  {
    group: 'formsGroup',
    pages: [
      {
        path: '/forms',
        title: 'forms',
        key: 'f',
        needs: 'getForms',
        load: () => import('../pages/forms/forms.js').then(({ Forms }) => Forms),
      },
      {
        path: '/forms/:id',
        needs: 'getFormById',
        load: () => import('../pages/designer/designer.js').then(({ Designer }) => Designer),
      },
      {
        path: '/yang',
        title: 'yang',
        key: 'y',
        needs: 'yangToSchema',
        load: () => import('../pages/yang/yang.js').then(({ Yang }) => Yang),
      },
      {
        path: '/tasks',
        title: 'tasks',
        key: 't',
        needs: 'getTasks',
        load: () => import('../pages/tasks/tasks.js').then(({ Tasks }) => Tasks),
      },
    ],
  },
  {
    group: 'configuration',
    pages: [
      {
        path: '/profiles',
        title: 'profiles',
        key: 'p',
        needs: 'getProfiles',
        load: () => import('../pages/profiles/profiles.js').then(({ Profiles }) => Profiles),
      },
      {
        // Not below /profiles, where the path would be that of a profile with this name.
        path: '/new-profile',
        needs: 'createProfile',
        load: () => import('../pages/profiles/new-profile.js').then(({ NewProfilePage }) => NewProfilePage),
      },
      {
        path: '/profiles/:id',
        needs: 'getProfile',
        load: () => import('../pages/profiles/profile-page.js').then(({ ProfilePage }) => ProfilePage),
      },
      {
        path: '/deprecations',
        title: 'deprecations',
        key: 'd',
        needs: 'getDeprecations',
        load: () => import('../pages/deprecations/deprecations.js').then(({ Deprecations }) => Deprecations),
      },
    ],
  },
  {
    group: 'security',
    pages: [
      {
        path: '/secrets',
        title: 'secrets',
        key: 's',
        needs: 'getSecrets',
        load: () => import('../pages/secrets/secrets.js').then(({ Secrets }) => Secrets),
      },
      {
        path: '/access',
        title: 'access',
        key: 'c',
        needs: 'getAdapterAccess',
        load: () => import('../pages/access/access.js').then(({ Access }) => Access),
      },
      {
        path: '/audit',
        title: 'audit',
        key: 'l',
        needs: 'getAudit',
        load: () => import('../pages/audit/audit.js').then(({ Audit }) => Audit),
      },
    ],
  },
  {
    group: 'developerTools',
    pages: [
      {
        path: '/api',
        title: 'api',
        key: 'i',
        needs: 'getOpenApi',
        load: () => import('../pages/api/api-explorer.js').then(({ ApiExplorer }) => ApiExplorer),
      },
      {
        path: '/api/:operation',
        needs: 'getOpenApi',
        load: () => import('../pages/api/api-explorer.js').then(({ ApiExplorer }) => ApiExplorer),
      },
      {
        path: '/rest',
        title: 'rest',
        key: 'r',
        needs: 'restCall',
        load: () => import('../pages/rest/rest-tool.js').then(({ RestTool }) => RestTool),
      },
    ],
  },
];
