import type { Operation } from '../../core/operation.js';
import type { Activation } from '../../core/platform-state.js';
import { changeNote, changeQuery, changeTermsOf } from '../lib/change-terms.js';
import { doneSchema } from '../lib/management-schemas.js';
import { changedRecord, IF_MATCH, seenRevision } from '../lib/revision-tag.js';
import type { LiveProfile, ProfilesDeps } from './deps.js';
import { inapplicableProfile, invalidProfile, profileNotFound } from './profile.js';

export const switchActiveProfile: Operation<ProfilesDeps> = {
  id: 'switchActiveProfile',
  summary: 'Activate a profile.',
  description:
    'Makes a profile the active profile, and starts and stops adapters as the profile says. A profile that cannot be applied changes nothing.',
  problems: ['profile_not_found', 'confirmation_pending', 'precondition_failed'],
  query: changeQuery,
  requestHeaders: IF_MATCH,
  method: 'PUT',
  path: '/:id/active',
  roles: ['admin'],
  reply: doneSchema('Active profile'),
  audited: true,
  handle(call, deps) {
    const { id: name = '' } = call.params;
    const { platform, openProfile, runInTurn } = deps;
    const revision = seenRevision(call);
    const note = changeNote(call, changeTermsOf(call.query), deps.now());
    return runInTurn(call, async () => {
      const record = await platform.profiles.find(name);
      const isStale = record && revision !== undefined && revision !== record.revision;
      const { document } = changedRecord(isStale ? 'stale' : (record ?? 'absent'), () =>
        profileNotFound.toChange(name),
      );
      // The profile was valid when it was stored, but the operations that its roles name may have changed.
      const opened = openProfile(document);
      if ('faults' in opened) throw invalidProfile(opened.faults, '');
      const { written, effect } = await applyChange(
        {
          async write() {
            const activation = await platform.activate(name, note);
            if (!activation) throw profileNotFound.toChange(name);
            return activation;
          },
          async undo({ previous, replaced }: Activation) {
            if ((await platform.read()).profile?.name === name)
              await platform.activate(previous, { ...note, action: 'reverted', commit: replaced });
          },
        },
        deps,
      );
      return {
        body: { status: 'OK', message: `Successfully activated ${name}.${effect}` },
        change: { before: written.previous, after: name },
      };
    });
  },
};

/** A change of the running configuration, and its reversal. */
interface Change<T> {
  readonly write: () => Promise<T>;
  /** Restores the previous state, unless another change has replaced it. */
  readonly undo: (written: T) => Promise<unknown>;
}

/**
 * Writes and applies a change; `effect` names the adapters that the change starts and stops. Undoes a change
 * that the server cannot apply, and throws. Callers must serialize calls.
 */
export async function applyChange<T>(
  { write, undo }: Change<T>,
  { apply, live }: ProfilesDeps,
): Promise<{ readonly written: T; readonly effect: string }> {
  const before = live();
  const written = await write();
  try {
    const faults = await apply();
    if (faults.length > 0) throw inapplicableProfile(faults);
  } catch (error) {
    await undo(written);
    // Applies the restored record with its new revision. If this fails too, the first error is the cause.
    await apply().catch(() => undefined);
    throw error;
  }
  return { written, effect: effectSentences(before, live()) };
}

/** Returns a sentence for each effect, each after a space; an empty text if there is no effect. */
function effectSentences(before: LiveProfile, after: LiveProfile): string {
  const failed = idsWithout(idsWithout(after.wanted, before.wanted), after.running);
  return [
    idListSentence('Started', idsWithout(after.running, before.running)),
    idListSentence('Stopped', idsWithout(before.wanted, after.wanted)),
    idListSentence('Could not be started', failed),
  ].join('');
}

function idsWithout(ids: readonly string[], others: readonly string[]): readonly string[] {
  return ids.filter((id) => !others.includes(id));
}

function idListSentence(verb: string, ids: readonly string[]): string {
  return ids.length > 0 ? ` ${verb}: ${ids.join(', ')}.` : '';
}
