import { LOG_LEVELS } from '../core/log.js';
import type { FromSchema } from './from-schema.js';
import {
  atStart,
  choice,
  flag,
  integer,
  optionalFile,
  optionalInteger,
  section,
  SYSLOG_PATTERN,
  text,
} from './schema-parts.js';

const FACILITIES = [
  ...(['user', 'daemon', 'auth', 'authpriv'] as const),
  ...(['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'] as const),
] as const;

const rotation = section(
  ['Rotation', 'Rotation of the file by gatehouse; null leaves it to other programs such as logrotate.'],
  {
    bytes: optionalInteger(
      'Size',
      'Rotates the file when it reaches this size in bytes; null disables size-based rotation.',
      { minimum: 1024, default: 104_857_600 },
    ),
    hours: optionalInteger(
      'Hours',
      'Rotates the file every so many hours, counted from midnight UTC (24 = daily); null disables time-based rotation.',
      { minimum: 1, maximum: 8784 },
    ),
    keep: integer('Files', 'Maximum number of rotated files that are kept.', {
      minimum: 1,
      maximum: 10_000,
      default: 10,
    }),
    compress: flag('Compressed', 'True compresses rotated files with gzip, except the newest.', true),
  },
  { type: ['object', 'null'], default: null, 'x-restart': true },
);

const syslog = section(
  ['Syslog', 'Receiver of the lines as syslog messages (RFC 5424); null sends none.'],
  {
    url: text(
      'URL',
      'udp://, tcp:// or tls:// with host and port, or unix: with the path of a stream socket.',
      {
        pattern: SYSLOG_PATTERN,
        'x-hint':
          'must be such as udp://127.0.0.1:514, tcp://[::1]:601, tls://logs.example:6514 or unix:/run/log',
      },
    ),
    facility: {
      ...choice('Facility', 'Facility of the messages.', FACILITIES),
      default: 'daemon',
    },
    appName: text('Name', 'APP-NAME of the messages.', {
      pattern: '^[\\x21-\\x7e]{1,48}$',
      'x-hint': 'must be up to 48 visible characters of ASCII',
      default: 'gatehouse',
    }),
    caFile: optionalFile(
      'CA file',
      'PEM file of the CA certificates for tls:; null trusts those of Node.js.',
    ),
  },
  { type: ['object', 'null'], default: null, required: ['url'], 'x-restart': true },
);

/** Schema of the block `log`. */
export const logSchema = section(['Log', 'Level, format and outputs of the log.'], {
  level: {
    ...choice(
      'Level',
      'Least severe level that is written; the levels are in order, from error to spam.',
      LOG_LEVELS,
    ),
    default: 'info',
  },
  format: atStart(
    choice('Format', 'json for machines, pretty for people; auto writes pretty to a terminal, else json.', [
      'auto',
      'json',
      'pretty',
    ]),
  ),
  file: atStart(
    optionalFile(
      'File',
      'File (mode 0640) that lines are appended to, in addition to standard output; null writes no file.',
    ),
  ),
  rotation,
  syslog,
});

export type LogSettings = FromSchema<typeof logSchema>;

export type RotationSettings = NonNullable<LogSettings['rotation']>;

/** A receiver of syslog messages (RFC 5424). */
export type SyslogSettings = NonNullable<LogSettings['syslog']>;
