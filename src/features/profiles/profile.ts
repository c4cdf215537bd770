import type { Fault, LocatedFault } from '../../core/fault.js';
import type { NamedRecord } from '../../core/platform-state.js';
import { andMoreErrors, Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { withFix } from '../../lib/sentence.js';
import type { ChangeTerms } from '../lib/change-terms.js';
import { pendingSchema, shownPending } from '../lib/history-operations.js';
import { entrySchema } from '../lib/management-schemas.js';
import type { ProfilesDeps } from './deps.js';

/** Request body with a profile or some of its members. */
export interface SentProfile extends ChangeTerms {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Returns the members of a profile without `_id`, which only this server assigns. */
export function withoutRecordId(sent: SentProfile['properties']): SentProfile['properties'] {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== '_id'));
}

/** Schema of a profile in replies. `GET /schema/profiles` returns all members. */
export const profileReplySchema: JsonSchema = {
  title: 'Profile',
  type: 'object',
  required: ['id', 'description', 'services'],
  additionalProperties: true,
  properties: {
    id: { type: 'string', description: 'The name' },
    description: { type: 'string' },
    services: { type: 'array', items: { type: 'string' } },
    _id: { type: 'string', description: '24 hexadecimal digits; only in the reply to the creation' },
  },
};

export const writtenProfileSchema: JsonSchema = {
  ...profileReplySchema,
  title: 'Profile as written',
  required: ['id'],
  description: 'Only the members that were sent; every other member has its default',
};

export const listedProfileSchema = entrySchema(
  'Profile entry',
  {
    isActive: 'True for the active profile',
    activeSync: 'True if the stored state of the profile is in effect',
  },
  { profile: profileReplySchema, pending: pendingSchema },
);

/** A profile with its state (wire section 5.4). */
interface ListedProfile {
  readonly metadata: { readonly isActive: boolean; readonly activeSync: boolean };
  readonly profile: NamedRecord['document'];
  /** Change or activation of the profile that waits for its confirmation. */
  readonly pending?: object;
}

/** Creates a function that adds the state to profiles; `active` is the name of the active profile. */
export function listedProfileWith(
  active: string | undefined,
  { live: readLive, completeProfile }: ProfilesDeps,
): (record: NamedRecord) => ListedProfile {
  const { profile: live, pending } = readLive();
  return ({ name, id, revision, document }) => {
    // The activation reverts more than a change of the document.
    const commits = pending.filter((commit) => commit.name === name);
    const commit = commits.find(({ kind }) => kind === 'activation') ?? commits[0];
    return {
      metadata: {
        isActive: name === active,
        activeSync: name === active && live?.id === id && live.revision === revision,
      },
      profile: completeProfile(document),
      ...(commit && { pending: shownPending(commit) }),
    };
  };
}

/** Maximum number of errors in one reply. */
const MAX_REPORTED_ERRORS = 100;

/**
 * Creates the Problem of a profile that cannot be stored; `at` is the pointer to the profile in the request.
 */
export function invalidProfile(faults: readonly LocatedFault[], at: string): Problem {
  const errors = faults.map((fault) => ({ pointer: at + fault.pointer, message: withFix(fault) }));
  const [first] = errors;
  const more = andMoreErrors(errors.length - 1);
  const detail = `Nothing was changed: ${first?.pointer ?? ''} ${first?.message ?? ''}${more}`;
  return new Problem('invalid_request', detail, { errors: errors.slice(0, MAX_REPORTED_ERRORS) });
}

/** Creates the Problem of a stored change that the server cannot apply. */
export function inapplicableProfile(faults: readonly Fault[]): Problem {
  return invalidProfile(
    faults.map((fault) => ({ ...fault, message: `${fault.message} (${fault.file})` })),
    '',
  );
}

/** Problems of unknown profiles, with the sentences that clients print (wire section 5.4). */
export const profileNotFound = {
  toRead: () => new Problem('profile_not_found', 'Profile not found.'),
  toChange: (name: string) => new Problem('profile_not_found', `Profile: ${name} does not exist!`),
} as const;
