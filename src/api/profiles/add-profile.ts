import { doneSchema } from '../../core/management-reply.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { revisionTag } from '../../core/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import { profileReplySchema, type SentProfile, withoutRecordId } from './profile.js';
import { misconfigured } from './profile-problems.js';

const requestSchema = {
  title: 'New profile',
  type: 'object',
  required: ['properties'],
  properties: {
    properties: {
      type: 'object',
      required: ['id'],
      description: 'What it leaves out has a default; GET /schema/profiles tells all members.',
      properties: { id: { type: 'string', minLength: 1 } },
    },
  },
} as const;

const added: Pick<Operation<ProfilesDeps, SentProfile>, 'method' | 'roles' | 'body' | 'reply' | 'audited'> = {
  method: 'POST',
  roles: ['admin'],
  body: requestSchema,
  reply: doneSchema('Created profile', {
    ...profileReplySchema,
    description: 'The full profile, with its `_id` of 24 hexadecimal digits',
  }),
  audited: true,
};

/** Creates a profile; absent members get their defaults (wire section 5.4). */
export const createProfile: Operation<ProfilesDeps, SentProfile> = {
  ...added,
  id: 'createProfile',
  summary: 'Create a profile.',
  path: '',
  target: nameOf,
  handle: add,
};

/** Imports a profile that was exported from this server or from the platform (wire section 5.4). */
export const importProfile: Operation<ProfilesDeps, SentProfile> = {
  ...added,
  id: 'importProfile',
  summary: 'Import a profile.',
  path: '/import',
  target: nameOf,
  handle: add,
};

function nameOf({ body }: Pick<Call<SentProfile>, 'body'>): string {
  return String(body.properties['id']);
}

async function add({ body }: Call<SentProfile>, deps: ProfilesDeps): Promise<Reply> {
  const opened = deps.openProfile(withoutRecordId(body.properties));
  if ('faults' in opened) throw misconfigured(opened.faults, '/properties');
  const { value: document } = opened;
  const name = String(document['id']);
  const record = await deps.platform.profiles.create({ name, id: deps.newRecordId(), document });
  if (!record) throw new Problem('name_taken', `${name} already exists!`);
  return {
    body: {
      status: 'Created',
      message: `Successfully created ${name}.`,
      data: { ...document, _id: record.id },
    },
    headers: revisionTag(record),
    change: { after: document },
  };
}
