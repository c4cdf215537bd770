import type { PageRoute } from '../../app/page-route.js';

/** Receivers of messages about problems. */
export const notificationsPage: PageRoute = {
  path: '/notifications',
  area: 'notifications',
  key: 'n',
  needs: 'getNotifications',
  guide: 'send-notifications',
  load: () => import('./notifications.js').then(({ Notifications }) => Notifications),
};
