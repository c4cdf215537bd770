import { listSchema, queryList } from '../../core/list-query.js';
import type { Operation } from '../../core/operation.js';
import type { ProfilesDeps } from './deps.js';
import { listedBy, listedProfileSchema } from './profile.js';

/** Lists the profiles (wire section 5.4); accepts the query of every list (section 7). */
export const getProfiles: Operation<ProfilesDeps> = {
  id: 'getProfiles',
  summary: 'List the profiles.',
  method: 'GET',
  path: '',
  roles: ['admin'],
  reply: listSchema('Profiles', listedProfileSchema),
  async handle({ query }, { platform, live }) {
    const { profile } = await platform.read();
    const records = await platform.profiles.list();
    const listed = records.map(listedBy(profile?.name, live()));
    return {
      body: queryList(listed, query, {
        nameOf: ({ profile: { id } }) => String(id),
        recordOf: ({ profile: document }) => document,
      }),
    };
  },
};
