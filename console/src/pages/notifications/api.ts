import { type MuteKind } from '../../../../src/core/notification.js';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';

/** Path of the receivers, mutes and acknowledgements. */
export const NOTIFICATIONS_PATH = '/notifications';

/** Interval between reads: the server sends no events about mutes and messages. */
const POLL_MS = 15_000;

/** A receiver of messages about problems. Times are in milliseconds since 1970. */
export interface Receiver {
  readonly name: string;
  readonly kind: 'webhook' | 'mail';
  /** Scheme and host of the webhook, or the recipients of the mail. */
  readonly target: string;
  readonly minSeverity: 'danger' | 'warning';
  readonly tags: readonly string[];
  readonly waitSeconds: number;
  readonly repeatMinutes: number;
  readonly lastSentAt: number | null;
  readonly failure: { readonly at: number; readonly reason: string; readonly retryAt: number } | null;
}

/** A mute that is in force. */
export interface MuteView {
  readonly id: string;
  readonly kind: MuteKind;
  readonly name: string;
  readonly reason: string;
  readonly by: string | null;
  readonly at: number;
  readonly until: number;
}

/** A problem that a person has seen. */
export interface AcknowledgementView {
  readonly problem: string;
  readonly note: string;
  readonly by: string | null;
  readonly at: number;
}

/** Reply of `GET /notifications`. */
interface NotificationsReply {
  readonly receivers: readonly Receiver[];
  readonly mutes: readonly MuteView[];
  readonly acknowledgements: readonly AcknowledgementView[];
}

/** Reads the receivers, mutes and acknowledgements, unless the user may not read them. */
export function useNotifications() {
  const { may } = useSession();
  return useRead<NotificationsReply>(NOTIFICATIONS_PATH, {
    enabled: may('getNotifications'),
    everyMs: POLL_MS,
  });
}
