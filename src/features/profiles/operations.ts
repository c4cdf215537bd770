import type { Application, Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { listRow, listSchema, queryList } from '../../http/list-query.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { rollbackSchema, changeNote, requirePermanent } from '../lib/change-terms.js';
import { historyOperations, type RecordHistory, requireVersion } from '../lib/history-operations.js';
import { doneSchema } from '../lib/management-schemas.js';
import { IF_MATCH, REVISION, revisionTag } from '../lib/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import {
  invalidProfile,
  profileReplySchema,
  writtenProfileSchema,
  listedProfileSchema,
  listedProfileWith,
  profileNotFound,
} from './profile.js';
import { switchActiveProfile } from './switch-active-profile.js';
import {
  createProfile,
  deleteProfile,
  importProfile,
  updateProfile,
  storeNewProfile,
  storeProfile,
} from './write-profiles.js';

const getProfiles: Operation<ProfilesDeps> = {
  id: 'getProfiles',
  summary: 'List the profiles.',
  description: 'Returns one page of the profiles, and whether each profile is active.',
  method: 'GET',
  path: '',
  topics: ['profiles'],
  roles: READERS,
  ...listRow,
  reply: listSchema('Profiles', listedProfileSchema),
  async handle({ query }, deps) {
    const { profile } = await deps.platform.read();
    const records = await deps.platform.profiles.list();
    const listed = records.map(listedProfileWith(profile?.name, deps));
    return {
      body: queryList(listed, query, {
        nameOf: ({ profile: { id } }) => String(id),
        recordOf: ({ profile: document }) => document,
      }),
    };
  },
};

const getProfile: Operation<ProfilesDeps> = {
  id: 'getProfile',
  summary: 'Get a profile by its id.',
  description:
    'Returns a profile, and whether it is active. The header `etag` has its revision, for `If-Match`.',
  problems: ['profile_not_found'],
  method: 'GET',
  path: '/:id',
  roles: READERS,
  reply: listedProfileSchema,
  messageErrors: ['profile_not_found'],
  async handle({ params: { id = '' } }, deps) {
    const record = await deps.platform.profiles.find(id);
    if (!record) throw profileNotFound.toRead();
    const { profile } = await deps.platform.read();
    return { body: listedProfileWith(profile?.name, deps)(record), headers: revisionTag(record) };
  },
};

const exportProfile: Operation<ProfilesDeps> = {
  id: 'exportProfile',
  summary: 'Export a profile.',
  description: 'Returns a profile without its state, in the format that `importProfile` accepts.',
  problems: ['profile_not_found'],
  method: 'GET',
  path: '/:id/export',
  roles: READERS,
  reply: profileReplySchema,
  messageErrors: ['profile_not_found'],
  async handle({ params: { id = '' } }, { platform, completeProfile }) {
    const record = await platform.profiles.find(id);
    if (!record) throw profileNotFound.toRead();
    return { body: completeProfile(record.document), headers: revisionTag(record) };
  },
};

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
  through: ['profiles.updateProfile', 'profiles.createProfile'],
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

const profileHistoryOperations: readonly Operation<ProfilesDeps, never>[] = [
  ...historyOperations(profileRecords),
  rollbackProfile,
];

export const profiles: Application<ProfilesDeps> = {
  name: 'profiles',
  summary: 'Named sets of settings, one of which may be active.',
  prefixes: ['/profiles'],
  operations: [
    getProfiles,
    getProfile,
    createProfile,
    importProfile,
    exportProfile,
    updateProfile,
    switchActiveProfile,
    deleteProfile,
    ...profileHistoryOperations,
  ],
};
