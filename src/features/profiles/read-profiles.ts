import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { listRow, listSchema, queryList } from '../../http/list-query.js';
import { revisionTag } from '../lib/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import { listedProfileSchema, listedProfileWith, profileNotFound, profileReplySchema } from './profile.js';

export const getProfiles: Operation<ProfilesDeps> = {
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

export const getProfile: Operation<ProfilesDeps> = {
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

export const exportProfile: Operation<ProfilesDeps> = {
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
