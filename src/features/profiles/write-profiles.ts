import type { Call, Operation, Reply } from '../../core/operation.js';
import type { NamedRecord } from '../../core/platform-state.js';
import { Problem } from '../../core/problem.js';
import { type ChangeNote, type ConfirmedCommit, versionOutcome } from '../../core/record-history.js';
import { sizeOfJson } from '../../json/json-size.js';
import { jsonText } from '../../json/write-json.js';
import {
  changeMembers,
  changeNote,
  changeTermsOf,
  commentMember,
  commentQuery,
  confirmedNote,
} from '../lib/change-terms.js';
import { doneSchema } from '../lib/management-schemas.js';
import { changedRecord, IF_MATCH, revisionTag, seenRevision } from '../lib/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import {
  invalidProfile,
  profileNotFound,
  profileReplySchema,
  type SentProfile,
  withoutRecordId,
} from './profile.js';
import { applyChange } from './switch-active-profile.js';

const newProfileSchema = {
  title: 'New profile',
  type: 'object',
  required: ['properties'],
  properties: {
    properties: {
      type: 'object',
      required: ['id'],
      additionalProperties: true,
      description: 'Absent members get their defaults; GET /schema/profiles returns all members.',
      properties: { id: { type: 'string', minLength: 1 } },
    },
    ...commentMember,
  },
} as const;

const addRow: Pick<
  Operation<ProfilesDeps, SentProfile>,
  'method' | 'roles' | 'body' | 'reply' | 'messageErrors' | 'audited'
> = {
  method: 'POST',
  roles: ['admin'],
  body: newProfileSchema,
  reply: doneSchema('Created profile', profileReplySchema),
  messageErrors: ['name_taken'],
  audited: true,
};

export const createProfile: Operation<ProfilesDeps, SentProfile> = {
  ...addRow,
  id: 'createProfile',
  summary: 'Create a profile.',
  description: 'Stores a profile, which is not active. Absent members get their defaults.',
  problems: ['name_taken'],
  path: '',
  target: sentName,
  handle: addProfile,
};

export const importProfile: Operation<ProfilesDeps, SentProfile> = {
  ...addRow,
  id: 'importProfile',
  summary: 'Import a profile.',
  description:
    'Stores a profile that `exportProfile` returned, which is not active. The server assigns a new `_id`.',
  problems: ['name_taken'],
  path: '/import',
  target: sentName,
  handle: addProfile,
};

function sentName({ body }: Call<SentProfile>): string {
  return String(body.properties['id']);
}

async function addProfile(call: Call<SentProfile>, deps: ProfilesDeps): Promise<Reply> {
  const { body } = call;
  return storeNewProfile({ sent: body.properties, note: changeNote(call, body, deps.now()) }, deps);
}

interface NewProfile {
  readonly sent: SentProfile['properties'];
  readonly note: ChangeNote;
}

/** Stores a new profile, which is not active. */
export async function storeNewProfile({ sent, note }: NewProfile, deps: ProfilesDeps): Promise<Reply> {
  const opened = deps.openProfile(withoutRecordId(sent));
  if ('faults' in opened) throw invalidProfile(opened.faults, '/properties');
  const { value: document } = opened;
  const name = String(document['id']);
  const record = await deps.platform.profiles.create({ name, id: deps.newRecordId(), document }, note);
  if (!record) throw new Problem('name_taken', `${name} already exists!`);
  return {
    body: {
      status: 'Created',
      message: `Successfully created ${name}.`,
      data: { ...deps.completeProfile(document), _id: record.id },
    },
    headers: revisionTag(record),
    outcome: versionOutcome({ kind: 'profile', name, revision: record.revision }),
    change: { after: document },
  };
}

const profileUpdateSchema = {
  title: 'Update of a profile',
  type: 'object',
  required: ['properties'],
  properties: {
    properties: {
      type: 'object',
      additionalProperties: true,
      description:
        'Members to replace as a whole; null restores the default of a member. Absent members stay unchanged.',
    },
    ...changeMembers,
  },
} as const;

/**
 * Replaces the given members of a profile. A change of the active profile is in effect when the reply is
 * sent.
 */
export const updateProfile: Operation<ProfilesDeps, SentProfile> = {
  id: 'updateProfile',
  summary: 'Update the given members of a profile.',
  description:
    'Replaces the sent members of a profile. A change of the active profile is in effect when the reply arrives.',
  problems: ['profile_not_found', 'confirmation_pending', 'precondition_failed'],
  requestHeaders: IF_MATCH,
  method: 'PUT',
  path: '/:id',
  roles: ['admin'],
  body: profileUpdateSchema,
  reply: doneSchema('Updated profile', profileReplySchema),
  audited: true,
  handle(call, deps) {
    const { id: name = '' } = call.params;
    const note = changeNote(call, call.body, deps.now());
    const next = (document: NamedRecord['document']) => changedDocument(document, call.body, deps);
    return deps.runInTurn(call, () => storeProfile(call, { name, next, note }, deps));
  },
};

interface ProfileUpdate {
  readonly name: string;
  readonly next: (document: NamedRecord['document']) => NamedRecord['document'];
  readonly note: ChangeNote;
}

/** Stores the next document of a profile; applies it if the profile is active. Callers must serialize calls. */
export async function storeProfile(
  call: Call,
  { name, next, note }: ProfileUpdate,
  deps: ProfilesDeps,
): Promise<Reply> {
  const revision = seenRevision(call);
  const { profiles } = deps.platform;
  let before: NamedRecord['document'] = {};
  let commit: ConfirmedCommit | undefined;
  const write = async (): Promise<NamedRecord> =>
    changedRecord(
      await profiles.update(
        { name, revision },
        (document, replaced) => {
          before = document;
          commit = replaced;
          return next(document);
        },
        note,
      ),
      () => profileNotFound.toChange(name),
    );
  const undo = ({ revision }: NamedRecord) =>
    profiles.update({ name, revision }, () => before, { ...note, action: 'reverted', commit });
  const isActive = (await deps.platform.read()).profile?.name === name;
  const { written, effect } = isActive
    ? await applyChange({ write, undo }, deps)
    : { written: await write(), effect: '' };
  return {
    body: {
      status: 'OK',
      message: `Successfully updated ${name}.${confirmedNote(commit, note)}${effect}`,
      data: deps.completeProfile(written.document),
    },
    headers: revisionTag(written),
    outcome: versionOutcome({ kind: 'profile', name, revision: written.revision }),
    change: { before, after: written.document },
  };
}

/** Returns the profile with the sent members replaced. Throws `invalid_request`. */
/** Maximum of bytes and of values of a profile that updates add members to, as of a body by default. */
const MAX_PROFILE = { bytes: 1_048_576, values: 10_000 };

function sizeOf(document: NamedRecord['document']): typeof MAX_PROFILE {
  const bytes = Buffer.from(jsonText(document));
  return { bytes: bytes.length, values: sizeOfJson(bytes).values };
}

/** Throws `body_too_large` if a profile has grown beyond the maximum: each update may add members of other names. */
function requireSize(document: NamedRecord['document'], previous: NamedRecord['document']): void {
  const size = sizeOf(document);
  for (const what of ['bytes', 'values'] as const)
    if (size[what] > MAX_PROFILE[what] && size[what] > sizeOf(previous)[what])
      throw new Problem('body_too_large', `The profile would have more than ${MAX_PROFILE[what]} ${what}.`, {
        advice: 'Import the profile again, with only the members that it needs.',
      });
}

function changedDocument(
  document: NamedRecord['document'],
  { properties: sent }: SentProfile,
  { openProfile }: ProfilesDeps,
): NamedRecord['document'] {
  const { id } = document;
  const sentId = sent['id'] ?? '';
  if (sentId !== '' && sentId !== id) throw invalidProfile([RENAMED_FAULT], '/properties');
  const merged = { ...document, ...withoutRecordId(sent), id };
  requireSize(merged, document);
  const opened = openProfile(merged);
  if ('faults' in opened) throw invalidProfile(opened.faults, '/properties');
  return opened.value;
}

const RENAMED_FAULT = {
  pointer: '/id',
  code: 'profile_id',
  message: 'must be the id in the path: the name of a profile cannot change',
  fix: 'Import a copy under the new name, and delete this profile.',
};

/**
 * Deletes an inactive profile, which does not affect running adapters. To delete the active profile, activate
 * another profile first.
 */
export const deleteProfile: Operation<ProfilesDeps> = {
  id: 'deleteProfile',
  summary: 'Delete a profile that is not active.',
  description: 'Deletes a profile. The active profile cannot be deleted.',
  problems: ['profile_not_found', 'profile_active', 'confirmation_pending', 'precondition_failed'],
  query: commentQuery,
  requestHeaders: IF_MATCH,
  method: 'DELETE',
  path: '/:id',
  roles: ['admin'],
  reply: doneSchema('Deleted profile'),
  messageErrors: ['profile_not_found'],
  audited: true,
  handle(call, { platform, runInTurn, now }) {
    const { id: name = '' } = call.params;
    const revision = seenRevision(call);
    const note = changeNote(call, changeTermsOf(call.query), now());
    return runInTurn(call, async () => {
      if ((await platform.read()).profile?.name === name)
        throw new Problem('profile_active', `Profile: ${name} is active; activate another profile first.`);
      const { document } = changedRecord(await platform.profiles.remove({ name, revision }, note), () =>
        profileNotFound.toChange(name),
      );
      return {
        body: { status: 'OK', message: `Successfully deleted ${name}.` },
        change: { before: document },
      };
    });
  },
};
