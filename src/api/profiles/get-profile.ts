import type { Operation } from '../../core/operation.js';
import { revisionTag } from '../../core/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import { listedBy, listedProfileSchema } from './profile.js';
import { absent } from './profile-problems.js';

/** Returns one profile, and whether it is active. */
export const getProfile: Operation<ProfilesDeps> = {
  id: 'getProfile',
  summary: 'Get a profile by its id.',
  method: 'GET',
  path: '/:id',
  roles: ['admin'],
  reply: { title: 'Profile and how it stands', ...listedProfileSchema },
  async handle({ params: { id = '' } }, { platform, live }) {
    const record = await platform.profiles.find(id);
    if (!record) throw absent.toRead();
    const { profile } = await platform.read();
    return { body: listedBy(profile?.name, live())(record), headers: revisionTag(record) };
  },
};
