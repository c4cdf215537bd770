import type { Secret } from './secret.js';

/** Settings of the notifications of problems. */
export interface NotificationSettings {
  readonly receivers: readonly ReceiverSettings[];
}

/** A receiver of notifications; exactly one of `webhook` and `mail` is set. */
export interface ReceiverSettings {
  readonly name: string;
  readonly webhook?: WebhookSettings;
  readonly mail?: MailSettings;
  /** Least severe problem that is reported. */
  readonly minSeverity: 'danger' | 'warning';
  /** Reports only problems of adapters with one of these tags; empty: all problems. */
  readonly tags: readonly string[];
  /** Time that a problem must last before it is reported, and be over before its end is; the latter is at least a minute. */
  readonly waitSeconds: number;
  /** Interval of reminders of a problem that lasts; 0: none. */
  readonly repeatMinutes: number;
}

export interface WebhookSettings {
  readonly url: string;
  /** Key of the signature. */
  readonly secret: Secret;
}

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  readonly security: 'starttls' | 'tls' | 'none';
  readonly username: string | null;
  readonly password?: Secret;
  /** CA certificates for TLS; null: those of the system. */
  readonly caFile: string | null;
  readonly from: string;
  readonly to: readonly string[];
}
