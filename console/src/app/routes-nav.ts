import type { ComponentType } from 'react';

/** A page of the console. */
export interface NavEntry {
  /** Path below /ui; `:name` is a parameter. */
  readonly path: string;
  /** Title in the navigation; absent for a page that is reached from another page. */
  readonly title?: string;
  /**
   * Id of the operation that the page needs; users who may not call it do not see the page in the navigation.
   */
  readonly needs: string;
  /** Loads the page when it is first opened. */
  readonly load: () => Promise<ComponentType>;
}

/** Every page, in groups, in the order of the navigation. */
export const NAV_GROUPS: readonly { readonly group: string; readonly pages: readonly NavEntry[] }[] = [
  {
    group: 'Operations',
    pages: [
      {
        path: '/',
        title: 'Overview',
        needs: 'getOverview',
        load: () => import('../pages/overview/overview.js').then(({ Overview }) => Overview),
      },
      {
        path: '/adapters',
        title: 'Adapters',
        needs: 'getOverview',
        load: () => import('../pages/adapters/adapters.js').then(({ Adapters }) => Adapters),
      },
      {
        path: '/adapters/:name',
        needs: 'getOverview',
        load: () => import('../pages/adapter/adapter.js').then(({ AdapterPage }) => AdapterPage),
      },
      {
        path: '/health',
        title: 'Health',
        needs: 'getOverview',
        load: () => import('../pages/health/health.js').then(({ Health }) => Health),
      },
      {
        path: '/log',
        title: 'Log',
        needs: 'getLogLines',
        load: () => import('../pages/log/log.js').then(({ Log }) => Log),
      },
    ],
  },
  {
    group: 'Forms',
    pages: [
      {
        path: '/forms',
        title: 'Forms',
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
        title: 'YANG to schema',
        needs: 'yangToSchema',
        load: () => import('../pages/yang/yang.js').then(({ Yang }) => Yang),
      },
      {
        path: '/tasks',
        title: 'Tasks',
        needs: 'getTasks',
        load: () => import('../pages/tasks/tasks.js').then(({ Tasks }) => Tasks),
      },
    ],
  },
  {
    group: 'Configuration',
    pages: [
      {
        path: '/profiles',
        title: 'Profiles',
        needs: 'getProfiles',
        load: () => import('../pages/profiles/profiles.js').then(({ Profiles }) => Profiles),
      },
      {
        path: '/profiles/:id',
        needs: 'getProfile',
        load: () => import('../pages/profiles/profile-page.js').then(({ ProfilePage }) => ProfilePage),
      },
      {
        path: '/deprecations',
        title: 'Deprecations',
        needs: 'getDeprecations',
        load: () => import('../pages/deprecations/deprecations.js').then(({ Deprecations }) => Deprecations),
      },
    ],
  },
  {
    group: 'Security',
    pages: [
      {
        path: '/secrets',
        title: 'Secrets',
        needs: 'getSecrets',
        load: () => import('../pages/secrets/secrets.js').then(({ Secrets }) => Secrets),
      },
      {
        path: '/audit',
        title: 'Audit',
        needs: 'getAudit',
        load: () => import('../pages/audit/audit.js').then(({ Audit }) => Audit),
      },
    ],
  },
  {
    group: 'Developer tools',
    pages: [
      {
        path: '/api',
        title: 'API',
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
        title: 'REST tool',
        needs: 'restCall',
        load: () => import('../pages/rest/rest-tool.js').then(({ RestTool }) => RestTool),
      },
    ],
  },
];
