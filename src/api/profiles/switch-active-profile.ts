import { doneSchema } from '../../core/management-reply.js';
import type { Operation } from '../../core/operation.js';
import { changedRecord, seenRevision } from '../../core/revision-tag.js';
import type { ProfilesDeps } from './deps.js';
import { absent, misconfigured } from './profile-problems.js';
import { takeEffect } from './take-effect.js';

/** Activates a profile, which is in effect when the reply is sent. */
export const switchActiveProfile: Operation<ProfilesDeps> = {
  id: 'switchActiveProfile',
  summary: 'Activate a profile.',
  method: 'PUT',
  path: '/:id/active',
  roles: ['admin'],
  reply: doneSchema('Active profile'),
  audited: true,
  handle(call, deps) {
    const { id: name = '' } = call.params;
    const { platform, openProfile, runInTurn } = deps;
    const seen = seenRevision(call);
    return runInTurn(call, async () => {
      const record = await platform.profiles.find(name);
      const isStale = record && seen !== undefined && seen !== record.revision;
      const { document } = changedRecord(isStale ? 'stale' : (record ?? 'absent'), () =>
        absent.toChange(name),
      );
      // The profile was valid when it was stored, but the operations that its roles name may have changed.
      const opened = openProfile(document);
      if ('faults' in opened) throw misconfigured(opened.faults, '');
      const previous = (await platform.read()).profile?.name;
      const { effect } = await takeEffect(
        {
          async write() {
            if (!(await platform.activate(name))) throw absent.toChange(name);
          },
          async undo() {
            if ((await platform.read()).profile?.name === name) await platform.activate(previous);
          },
        },
        deps,
      );
      return {
        body: { status: 'OK', message: `Successfully activated ${name}.${effect}` },
        change: { before: previous, after: name },
      };
    });
  },
};
