import type { LogLevel } from './log.js';

/** Settings of the log. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly format: 'auto' | 'json' | 'pretty';
  readonly file: string | null;
  /** Null if another program rotates the file. */
  readonly rotation: RotationSettings | null;
  readonly syslog: SyslogSettings | null;
}

/** Rotation of the log file. */
export interface RotationSettings {
  /** Size that triggers a rotation; null: no limit. */
  readonly bytes: number | null;
  /** Hours after which the file is rotated; null: no limit. */
  readonly hours: number | null;
  /** Number of rotated files to keep. */
  readonly keep: number;
  readonly compress: boolean;
}

/** A receiver of syslog messages (RFC 5424). */
export interface SyslogSettings {
  /** `udp://host:port`, `tcp://host:port`, `tls://host:port` or `unix:/path`. */
  readonly url: string;
  readonly facility: 'user' | 'daemon' | 'auth' | 'authpriv' | `local${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`;
  readonly appName: string;
  /** CA certificates for `tls:`; null: those of the system. */
  readonly caFile: string | null;
}
