import { doneSchema } from '../../core/management-reply.js';
import type { Operation } from '../../core/operation.js';
import type { NamedRecord } from '../../core/platform-state.js';
import { changedRecord, revisionTag, seenRevision } from '../../core/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import { profileReplySchema, type SentProfile, withoutRecordId } from './profile.js';
import { absent, misconfigured } from './profile-problems.js';
import { takeEffect } from './take-effect.js';

const requestSchema = {
  title: 'Update of a profile',
  type: 'object',
  required: ['properties'],
  properties: {
    properties: {
      type: 'object',
      description:
        'Members to replace, each as a whole; null gives a member its default back. The others stay as they are.',
    },
  },
} as const;

/**
 * Replaces the given members of a profile. A change of the active profile is in effect when the reply is
 * sent.
 */
export const updateProfile: Operation<ProfilesDeps, SentProfile> = {
  id: 'updateProfile',
  summary: 'Update the given members of a profile.',
  method: 'PUT',
  path: '/:id',
  roles: ['admin'],
  body: requestSchema,
  reply: doneSchema('Updated profile', profileReplySchema),
  audited: true,
  handle(call, deps) {
    const { id: name = '' } = call.params;
    const revision = seenRevision(call);
    const { profiles } = deps.platform;
    let before: NamedRecord['document'] = {};
    const write = async (): Promise<NamedRecord> =>
      changedRecord(
        await profiles.update({ name, revision }, (document) => {
          before = document;
          return changed(document, call.body, deps);
        }),
        () => absent.toChange(name),
      );
    const undo = ({ revision }: NamedRecord) => profiles.update({ name, revision }, () => before);
    return deps.runInTurn(call, async () => {
      const isActive = (await deps.platform.read()).profile?.name === name;
      const { written, effect } = isActive
        ? await takeEffect({ write, undo }, deps)
        : { written: await write(), effect: '' };
      return {
        body: { status: 'OK', message: `Successfully updated ${name}.${effect}`, data: written.document },
        headers: revisionTag(written),
        change: { before, after: written.document },
      };
    });
  },
};

/** Returns the profile with the sent members replaced. Throws `invalid_request`. */
function changed(
  document: NamedRecord['document'],
  { properties: sent }: SentProfile,
  { openProfile }: ProfilesDeps,
): NamedRecord['document'] {
  const { id } = document;
  const named = sent['id'] ?? '';
  if (named !== '' && named !== id) throw misconfigured([RENAMED], '/properties');
  const opened = openProfile({ ...document, ...withoutRecordId(sent), id });
  if ('faults' in opened) throw misconfigured(opened.faults, '/properties');
  return opened.value;
}

const RENAMED = {
  pointer: '/id',
  code: 'profile_id',
  message: 'must be the id in the path: a profile keeps its name',
  fix: 'Import a copy under the other name, and delete this one.',
};
