import type { ReceiverSettings } from '../../settings/notifications.js';
import type { NotificationStore, ReceiverFailure, ReportedProblem } from './notification.js';

export interface NotificationsDeps {
  /** Receivers of the live configuration. */
  readonly receivers: () => readonly ReceiverSettings[];
  /** Returns the current problems that any live process of the cluster sees. */
  readonly problems: () => Promise<readonly ReportedProblem[]>;
  readonly store: NotificationStore;
  /** Sends a test message; returns why the receiver did not accept it, without secrets. */
  readonly test: (receiver: ReceiverSettings) => Promise<string | undefined>;
  /** Returns the latest failure of each receiver, in any live process of the cluster. */
  readonly failures: () => Promise<ReadonlyMap<string, ReceiverFailure>>;
  readonly now: () => number;
}
