import type { Operation } from '../../core/operation.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { rollbackSchema, changeNote, requirePermanent } from '../lib/change-terms.js';
import { historyOperations, type RecordHistory, requireVersion } from '../lib/history-operations.js';
import { doneSchema } from '../lib/management-schemas.js';
import { IF_MATCH, REVISION } from '../lib/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import { invalidProfile, profileReplySchema, writtenProfileSchema } from './profile.js';
import { storeNewProfile, storeProfile } from './write-profiles.js';

const profileRecords: RecordHistory<ProfilesDeps> = {
  noun: 'Profile',
  kind: 'profile',
  parameter: 'id',
  // The activation first: a canceled activation ends the effect of the document.
  commits: ['activation', 'profile'],
  notFound: 'profile_not_found',
  problems: ['profile_not_found'],
  records: ({ platform }) => platform.profiles,
  requireHistory: () => undefined,
  shown: (_deps, _name, document) => document,
  documentSchema: writtenProfileSchema,
};

const bodySchema = rollbackSchema('Rollback of a profile');

const rollbackProfile: Operation<ProfilesDeps, FromSchema<typeof bodySchema>> = {
  id: 'rollbackProfile',
  summary: 'Restore an earlier version of a profile.',
  description:
    'Stores the document of an earlier version as a new version. A rollback of the active profile is in effect when the reply arrives. Creates a deleted profile again.',
  problems: ['profile_not_found', 'version_not_found', 'confirmation_pending', 'precondition_failed'],
  requestHeaders: IF_MATCH,
  method: 'POST',
  path: '/:id/rollback',
  roles: ['admin'],
  body: bodySchema,
  reply: doneSchema('Restored profile', profileReplySchema),
  replyHeaders: REVISION,
  audited: true,
  handle: (call, deps) =>
    deps.runInTurn(call, async () => {
      const { id: name = '' } = call.params;
      const { revision, ...terms } = call.body;
      const { document } = await requireVersion(profileRecords, deps, { name, revision });
      const note = {
        ...changeNote(call, terms, deps.now()),
        ...({ action: 'rolled-back', restores: revision } as const),
      };
      if (!(await deps.platform.profiles.find(name))) {
        requirePermanent(note, `the profile "${name}" is deleted`);
        return storeNewProfile({ sent: document, note }, deps);
      }
      // The operations that the roles of the profile name may have changed since.
      const opened = deps.openProfile(document);
      if ('faults' in opened) throw invalidProfile(opened.faults, '');
      return storeProfile(call, { name, next: () => opened.value, note }, deps);
    }),
};

export const profileHistoryOperations: readonly Operation<ProfilesDeps, never>[] = [
  ...historyOperations(profileRecords),
  rollbackProfile,
];
