import type { Operation } from '../../core/operation.js';
import { revisionTag } from '../../core/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import { profileReplySchema } from './profile.js';
import { absent } from './profile-problems.js';

/** Returns only a profile, in the format that `importProfile` accepts. */
export const exportProfile: Operation<ProfilesDeps> = {
  id: 'exportProfile',
  summary: 'Export a profile.',
  method: 'GET',
  path: '/:id/export',
  roles: ['admin'],
  reply: { title: 'Exported profile', ...profileReplySchema },
  async handle({ params: { id = '' } }, { platform }) {
    const record = await platform.profiles.find(id);
    if (!record) throw absent.toRead();
    return { body: record.document, headers: revisionTag(record) };
  },
};
