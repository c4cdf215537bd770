import { randomUUID } from 'node:crypto';
import { ADAPTER_ID_PATTERN, TAG_PATTERN } from '../../core/adapter-names.js';
import { ISSUE_CODES } from '../../core/issue.js';
import { type Mute, MUTE_KINDS } from '../../core/notification.js';
import type { Application, Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { authorOf, MAX_COMMENT_LENGTH } from '../../core/record-history.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { doneSchema } from '../lib/management-schemas.js';
import type { NotificationsDeps } from './deps.js';
import { getNotifications, muteSchema, shownAuthor } from './get-notifications.js';

/** Maximum time of a mute in minutes: 30 days. */
const MAX_MUTE_MINUTES = 30 * 1440;

const testReceiver: Operation<NotificationsDeps> = {
  id: 'testNotificationReceiver',
  summary: 'Send a test message to a receiver of notifications.',
  description: 'Sends a message without problems, and reports whether the receiver accepted it.',
  problems: ['receiver_not_found', 'notification_failed'],
  method: 'POST',
  path: '/receivers/:name/test',
  roles: ['admin'],
  reply: doneSchema('Sent test message'),
  audited: true,
  async handle({ params: { name = '' } }, { receivers, test }) {
    const receiver = receivers().find((one) => one.name === name);
    if (!receiver) throw new Problem('receiver_not_found', `there is no receiver "${name}"`);
    const reason = await test(receiver);
    if (reason !== undefined)
      throw new Problem(
        'notification_failed',
        `the receiver "${name}" did not accept the message: ${reason}`,
      );
    return { body: { status: 'OK', message: `Successfully sent a test message to ${name}.` } };
  },
};

const newMuteSchema = {
  title: 'New mute',
  type: 'object',
  required: ['kind', 'name', 'minutes', 'reason'],
  additionalProperties: false,
  properties: {
    kind: { enum: MUTE_KINDS, description: 'What `name` names: an adapter, a tag, or a code of problems' },
    name: { type: 'string', minLength: 1, maxLength: 64 },
    minutes: { type: 'integer', minimum: 1, maximum: MAX_MUTE_MINUTES },
    reason: { type: 'string', minLength: 1, maxLength: MAX_COMMENT_LENGTH },
  },
} as const;

type MuteBody = FromSchema<typeof newMuteSchema>;

const createMute: Operation<NotificationsDeps, MuteBody> = {
  id: 'createMute',
  summary: 'Create a mute: silence the notifications of some problems for a time.',
  description:
    'Silences notifications about an adapter, about all adapters with a tag, or about a kind of problem. The problems are still listed.',
  problems: [],
  method: 'POST',
  path: '/mutes',
  roles: ['admin'],
  body: newMuteSchema,
  reply: doneSchema('Created mute', muteSchema),
  audited: true,
  async handle({ body: { minutes, ...terms }, principal }, { store, now }) {
    requireName(terms);
    const at = Math.floor(now());
    const until = at + minutes * 60_000;
    const mute: Mute = { ...terms, id: randomUUID(), by: authorOf(principal), at, until };
    await store.addMute(mute);
    const message = `Successfully muted ${terms.name} until ${new Date(until).toISOString()}.`;
    return {
      body: { status: 'OK', message, data: shownAuthor(mute) },
      change: { before: null, after: mute },
    };
  },
};

/** Throws `invalid_request` for a name that no adapter, tag or code can have. */
function requireName({ kind, name }: Pick<MuteBody, 'kind' | 'name'>): void {
  const isValid =
    kind === 'code'
      ? (ISSUE_CODES as readonly string[]).includes(name)
      : new RegExp(kind === 'tag' ? TAG_PATTERN : ADAPTER_ID_PATTERN).test(name);
  if (isValid) return;
  const message =
    kind === 'code'
      ? `must be one of ${ISSUE_CODES.join(', ')}`
      : `is no name of ${kind === 'tag' ? 'a tag' : 'an adapter'}`;
  throw new Problem('invalid_request', `/name ${message}`, { errors: [{ pointer: '/name', message }] });
}

const deleteMute: Operation<NotificationsDeps> = {
  id: 'deleteMute',
  summary: 'Delete a mute; its problems are reported again.',
  description: 'Ends a mute before its time.',
  problems: ['mute_not_found'],
  method: 'DELETE',
  path: '/mutes/:id',
  roles: ['admin'],
  reply: doneSchema('Deleted mute'),
  audited: true,
  async handle({ params: { id = '' } }, { store }) {
    const before = (await store.mutes()).find((mute) => mute.id === id);
    if (!(await store.removeMute(id))) throw new Problem('mute_not_found', `there is no mute "${id}"`);
    return {
      body: { status: 'OK', message: 'Successfully deleted the mute.' },
      change: { before, after: null },
    };
  },
};

const acknowledgeProblem: Operation<NotificationsDeps, { readonly note: string }> = {
  id: 'acknowledgeProblem',
  summary: 'Create an acknowledgement of a problem; no reminders are sent.',
  description:
    'Records who has seen a current problem, when, and a note. Reminders stop; the end of the problem is still reported.',
  problems: ['problem_not_found'],
  method: 'PUT',
  path: '/problems/:id/acknowledgement',
  roles: ['admin'],
  body: {
    title: 'Acknowledgement of a problem',
    type: 'object',
    required: ['note'],
    additionalProperties: false,
    properties: {
      note: {
        type: 'string',
        maxLength: MAX_COMMENT_LENGTH,
        description: 'For example what is done about it',
      },
    },
  },
  reply: doneSchema('Acknowledged problem'),
  audited: true,
  async handle({ params: { id = '' }, body: { note }, principal }, { store, problems, now }) {
    const problem = (await problems()).find((one) => one.id === id);
    if (!problem) throw new Problem('problem_not_found', `there is no current problem "${id}"`);
    const before = (await store.acknowledgements()).find((one) => one.problem === id) ?? null;
    const after = { problem: id, note, by: authorOf(principal), at: Math.floor(now()) };
    const { severity, adapters } = problem;
    await store.acknowledge({ ...after, seen: { severity, adapters } });
    const message = `Successfully acknowledged: ${problem.title}.`;
    return { body: { status: 'OK', message }, change: { before, after } };
  },
};

const withdrawAcknowledgement: Operation<NotificationsDeps> = {
  id: 'withdrawAcknowledgement',
  summary: 'Delete the acknowledgement of a problem; reminders are sent again.',
  description: 'Removes the acknowledgement of a problem.',
  problems: ['problem_not_found'],
  method: 'DELETE',
  path: '/problems/:id/acknowledgement',
  roles: ['admin'],
  reply: doneSchema('Withdrawn acknowledgement'),
  audited: true,
  async handle({ params: { id = '' } }, { store }) {
    const before = (await store.acknowledgements()).find((one) => one.problem === id);
    if (!(await store.withdraw(id)))
      throw new Problem('problem_not_found', `the problem "${id}" is not acknowledged`);
    return {
      body: { status: 'OK', message: 'Successfully withdrew the acknowledgement.' },
      change: { before, after: null },
    };
  },
};

export const notifications: Application<NotificationsDeps> = {
  name: 'notifications',
  summary: 'Receivers of notifications about problems, mutes and acknowledgements.',
  prefixes: ['/notifications'],
  operations: [
    getNotifications,
    testReceiver,
    createMute,
    deleteMute,
    acknowledgeProblem,
    withdrawAcknowledgement,
  ],
};
