import { entrySchema } from '../../core/management-reply.js';
import type { NamedRecord } from '../../core/platform-state.js';
import type { JsonSchema } from '../../core/schema.js';
import type { LiveProfile } from './deps.js';

/** A profile that a client sends: what it leaves out has a default. */
export interface SentProfile {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Members of a profile without `_id`: that of a record is this server's to give. */
export function withoutRecordId(sent: SentProfile['properties']): SentProfile['properties'] {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== '_id'));
}

/** Schema of a profile in answers. `GET /schema/profiles` tells all of its members. */
export const profileReplySchema: JsonSchema = {
  type: 'object',
  required: ['id', 'description', 'services'],
  properties: {
    id: { type: 'string', description: 'The name' },
    description: { type: 'string' },
    services: { type: 'array', items: { type: 'string' } },
  },
};

/** Schema of a profile and how it stands. */
export const listedProfileSchema = entrySchema(
  'Profile entry',
  { isActive: 'It is the one that was made active', activeSync: 'It is in effect as it is kept' },
  { profile: profileReplySchema },
);

/** A profile, and how it stands (wire section 5.4). */
export interface ListedProfile {
  readonly metadata: { readonly isActive: boolean; readonly activeSync: boolean };
  readonly profile: NamedRecord['document'];
}

/** Tells how profiles stand; `active` is the name of the one that was made active. */
export function listedBy(
  active: string | undefined,
  { profile: live }: LiveProfile,
): (record: NamedRecord) => ListedProfile {
  return ({ name, id, revision, document }) => ({
    metadata: {
      isActive: name === active,
      activeSync: name === active && live?.id === id && live.revision === revision,
    },
    profile: document,
  });
}
