import { hostname } from 'node:os';
import type { Log } from '../../core/log.js';
import type { Redactor } from '../../core/secret.js';
import { type Scheduler, systemScheduler } from '../../lib/clock.js';
import { errorMessage } from '../../lib/error-message.js';
import type { ActiveSnapshot } from '../../server/state/snapshot.js';
import type { SnapshotHolder } from '../../server/state/swap.js';
import type { Settings } from '../../settings/settings.js';
import { tagsOf } from '../console/adapter-status.js';
import type { Monitoring } from '../console/monitoring.js';
import type { Store } from '../store.js';
import type { NotificationsDeps } from './deps.js';
import { openNotifier } from './notifier.js';
import { createSend } from './send.js';

interface NotificationsInput {
  readonly settings: Settings;
  readonly current: SnapshotHolder<ActiveSnapshot>;
  readonly store: Store;
  readonly monitoring: Monitoring;
  readonly redactor: Redactor;
  readonly clock: Scheduler;
  readonly log: Log;
}

/** Starts the notifications about problems, and returns what their operations need. */
export function openNotifications(input: NotificationsInput): {
  readonly deps: NotificationsDeps;
  readonly close: () => void;
} {
  const { settings, current, store, monitoring, redactor, clock, log } = input;
  const receivers = () => current.current().notifications.receivers;
  const notifier = openNotifier({
    receivers,
    issues: monitoring.issues,
    tagsOf: (adapter) => tagsOf(current.current().written.get(adapter)),
    store: store.notifications,
    send: createSend({
      useEgress: (work) => current.lease(({ egress }) => work(egress)),
      // Connections need real time, also in a test that sets the clock.
      scheduler: systemScheduler,
    }),
    redact: redactor.redact,
    host: hostname(),
    url: settings.server.publicUrl === null ? null : `${settings.server.publicUrl.replace(/\/$/, '')}/ui/`,
    clock,
    log,
  });
  return {
    deps: {
      receivers,
      problems: notifier.problems,
      store: store.notifications,
      test: (receiver) => notifier.test(receiver).then(() => undefined, errorMessage),
      failures: notifier.failures,
      now: () => clock.now(),
    },
    close: notifier.close,
  };
}
