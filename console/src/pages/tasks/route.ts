import type { PageRoute } from '../../app/page-route.js';

/** Forms that wait for a person. */
export const tasksPage: PageRoute = {
  path: '/tasks',
  area: 'tasks',
  key: 't',
  needs: 'getTasks',
  guide: 'give-a-form-to-a-person',
  load: () => import('./tasks.js').then(({ Tasks }) => Tasks),
};
