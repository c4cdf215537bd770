import { type Mute, MUTE_KINDS } from '../../core/notification.js';
import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import type { JsonSchema } from '../../core/schema.js';
import type { ReceiverSettings } from '../../settings/notifications.js';
import { count, listOf, names, objectOf, text, textOrNull, timestamp } from '../lib/reply-schemas.js';
import type { NotificationsDeps } from './deps.js';
import type { Acknowledgement } from './notification.js';

const muteMembers = {
  id: text,
  kind: { enum: MUTE_KINDS },
  name: text,
  reason: text,
  by: textOrNull,
  at: timestamp,
  until: timestamp,
} as const;

export const muteSchema: JsonSchema = { title: 'Mute', ...objectOf(muteMembers) };

export const getNotifications: Operation<NotificationsDeps> = {
  id: 'getNotifications',
  summary: 'List the receivers of notifications, the mutes and the acknowledgements.',
  description:
    'Returns the receivers without their secrets, the mutes that are in force, and the acknowledged problems.',
  method: 'GET',
  path: '',
  roles: READERS,
  reply: {
    title: 'Notifications',
    type: 'object',
    required: ['receivers', 'mutes', 'acknowledgements'],
    properties: {
      receivers: listOf({
        name: text,
        kind: { enum: ['webhook', 'mail'] },
        target: { ...text, description: 'Scheme and host of the webhook, or the recipients of the mail' },
        minSeverity: { enum: ['danger', 'warning'] },
        tags: names,
        waitSeconds: count,
        repeatMinutes: count,
        lastSentAt: {
          type: ['integer', 'null'],
          description: 'Time of the latest message about a problem that lasts',
        },
        failure: {
          type: ['object', 'null'],
          required: ['at', 'reason', 'retryAt'],
          properties: { at: timestamp, reason: text, retryAt: timestamp },
          description:
            'Why the latest message was not sent, and the time from which it is sent again; null if it was sent',
        },
      }),
      mutes: { type: 'array', items: muteSchema },
      acknowledgements: listOf({ problem: text, note: text, by: textOrNull, at: timestamp }),
    },
  },
  async handle(_call, { receivers, store, failures, now }) {
    const [states, mutes, acknowledgements, failed] = await Promise.all([
      store.states(),
      store.mutes(),
      store.acknowledgements(),
      failures(),
    ]);
    const shown = receivers().map((receiver) => ({
      ...shownReceiver(receiver),
      lastSentAt: states
        .filter((state) => state.receiver === receiver.name)
        .reduce<number | null>(
          (last, { sentAt }) => (sentAt !== null && sentAt > (last ?? 0) ? sentAt : last),
          null,
        ),
      failure: failed.get(receiver.name) ?? null,
    }));
    const inForce = mutes.filter(({ until }) => until > now());
    const body = {
      receivers: shown,
      mutes: inForce.map(shownAuthor),
      acknowledgements: acknowledgements.map(({ seen: _seen, ...shown }) => shownAuthor(shown)),
    };
    return { body };
  },
};

/** Returns a receiver without its secrets: the path of a webhook often contains one. */
function shownReceiver({
  name,
  webhook,
  mail,
  minSeverity,
  tags,
  waitSeconds,
  repeatMinutes,
}: ReceiverSettings): object {
  return {
    name,
    kind: webhook ? 'webhook' : 'mail',
    target: webhook ? new URL(webhook.url).origin : (mail?.to.join(', ') ?? ''),
    minSeverity,
    tags,
    waitSeconds,
    repeatMinutes,
  };
}

/** Returns a record as replies show it: the author by its name. */
export function shownAuthor({ by, ...record }: Mute | Acknowledgement): object {
  return { ...record, by: by?.name ?? null };
}
