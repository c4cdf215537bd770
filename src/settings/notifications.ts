import { MAX_TAGS, TAG_HINT, TAG_PATTERN } from '../core/adapter-names.js';
import type { FromSchema } from './from-schema.js';
import {
  choice,
  integer,
  optionalFile,
  optionalText,
  secret,
  section,
  text,
  URL_PATTERN,
} from './schema-parts.js';

const ADDRESS = {
  pattern: '^(?:[^<>\\r\\n]+ <)?[^\\s<>@,;]+@[^\\s<>@,;]+>?$',
  'x-hint': 'must be a mail address, for example noc@example.com',
};

const webhook = section(
  ['Webhook', 'Sends messages by HTTP POST, as JSON with a signature. Targets must be allowed in egress.'],
  {
    url: text('URL', 'http or https URL without credentials.', {
      pattern: URL_PATTERN,
      'x-hint': 'must be an http or https URL, for example https://chat.example/hooks/noc',
    }),
    secret: secret('Secret', 'Key of the signature (HMAC-SHA256).'),
  },
  { required: ['url', 'secret'] },
);

const mail = section(
  ['Mail', 'Sends messages by SMTP.'],
  {
    host: text('Host', 'Host name or IP address of the mail server.', {
      pattern: '^[A-Za-z0-9.:_-]+$',
      'x-hint': 'must be a host name or an IP address',
    }),
    port: integer('Port', 'Port of the mail server: 587 for STARTTLS, 465 for TLS.', {
      minimum: 1,
      maximum: 65_535,
      default: 587,
    }),
    security: choice(
      'Security',
      'starttls: plain connection that must become TLS; tls: TLS from the first byte; none: no encryption.',
      ['starttls', 'tls', 'none'],
    ),
    username: optionalText('User name', 'User name at the mail server; null: no login.'),
    password: secret('Password', 'Password at the mail server.'),
    caFile: optionalFile('CA file', 'PEM file of the CA certificates to trust, instead of those of Node.js.'),
    from: text('From', 'Address of the sender.', ADDRESS),
    to: {
      title: 'To',
      description: 'Addresses of the recipients.',
      type: 'array',
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      items: { type: 'string', ...ADDRESS },
    },
  },
  { required: ['host', 'from', 'to'] },
);

const receiver = section(
  ['Receiver', 'A receiver of notifications, with either webhook or mail.'],
  {
    name: text('Name', 'Unique name of the receiver.', {
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      'x-hint': 'must have 1 to 64 letters, digits, ".", "_" and "-"',
    }),
    webhook,
    mail,
    minSeverity: choice('Severity', 'Least severe problem that is reported: warning, or only danger.', [
      'warning',
      'danger',
    ]),
    tags: {
      title: 'Tags',
      description: 'Reports only problems of adapters with one of these tags; empty: all problems.',
      type: 'array',
      maxItems: MAX_TAGS,
      uniqueItems: true,
      items: { type: 'string', pattern: TAG_PATTERN, 'x-hint': TAG_HINT },
      default: [],
    },
    waitSeconds: integer(
      'Wait',
      'Seconds that a problem must last before it is reported. Its end is reported after the same time, but at least 60 seconds.',
      {
        minimum: 0,
        maximum: 86_400,
        default: 60,
      },
    ),
    repeatMinutes: integer('Repeat', 'Minutes between reminders of a problem that lasts; 0: no reminders.', {
      minimum: 0,
      maximum: 10_080,
      default: 240,
    }),
  },
  {
    required: ['name'],
    if: { required: ['webhook'], properties: { webhook: true } },
    then: { properties: { mail: false } },
    else: { required: ['mail'], properties: { mail: true } },
  },
);

/** Schema of the key `notifications`. */
export const notificationsSchema = section(
  ['Notifications', 'Messages about problems, by webhook and mail.'],
  {
    receivers: {
      title: 'Receivers',
      description: 'Receivers of notifications; without receivers, nothing is sent.',
      type: 'array',
      maxItems: 50,
      default: [],
      items: receiver,
    },
  },
);

export type NotificationSettings = FromSchema<typeof notificationsSchema>;

/** A receiver of notifications; exactly one of `webhook` and `mail` is set. */
export type ReceiverSettings = NotificationSettings['receivers'][number];

export type WebhookSettings = NonNullable<ReceiverSettings['webhook']>;

export type MailSettings = NonNullable<ReceiverSettings['mail']>;
