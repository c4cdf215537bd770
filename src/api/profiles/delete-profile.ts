import { doneSchema } from '../../core/management-reply.js';
import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { changedRecord, seenRevision } from '../../core/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import { absent } from './profile-problems.js';

/**
 * Deletes an inactive profile. Only a switch of the active profile, which reports its effect, changes what
 * runs.
 */
export const deleteProfile: Operation<ProfilesDeps> = {
  id: 'deleteProfile',
  summary: 'Delete a profile that is not active.',
  method: 'DELETE',
  path: '/:id',
  roles: ['admin'],
  reply: doneSchema('Deleted profile'),
  audited: true,
  handle(call, { platform, runInTurn }) {
    const { id: name = '' } = call.params;
    const revision = seenRevision(call);
    return runInTurn(call, async () => {
      if ((await platform.read()).profile?.name === name)
        throw new Problem('profile_active', `Profile: ${name} is active; make another one active first.`);
      const { document } = changedRecord(await platform.profiles.remove({ name, revision }), () =>
        absent.toChange(name),
      );
      return {
        body: { status: 'OK', message: `Successfully deleted ${name}.` },
        change: { before: document },
      };
    });
  },
};
