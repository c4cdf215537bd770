import { entrySchema } from '../../core/management-reply.js';
import type { NamedRecord } from '../../core/platform-state.js';
import type { JsonSchema } from '../../core/schema.js';
import type { LiveProfile } from './deps.js';

/** Request body with a profile; absent members get their defaults. */
export interface SentProfile {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Returns the members of a profile without `_id`, which only this server assigns. */
export function withoutRecordId(sent: SentProfile['properties']): SentProfile['properties'] {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== '_id'));
}

/** Schema of a profile in replies. `GET /schema/profiles` returns all members. */
export const profileReplySchema: JsonSchema = {
  type: 'object',
  required: ['id', 'description', 'services'],
  properties: {
    id: { type: 'string', description: 'The name' },
    description: { type: 'string' },
    services: { type: 'array', items: { type: 'string' } },
  },
};

/** Schema of a profile with its state. */
export const listedProfileSchema = entrySchema(
  'Profile entry',
  { isActive: 'It is the one that was made active', activeSync: 'It is in effect as it is kept' },
  { profile: profileReplySchema },
);

/** A profile with its state (wire section 5.4). */
export interface ListedProfile {
  readonly metadata: { readonly isActive: boolean; readonly activeSync: boolean };
  readonly profile: NamedRecord['document'];
}

/** Creates a function that adds the state to profiles; `active` is the name of the active profile. */
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
