import type { LiveProfile, ProfilesDeps } from './deps.js';
import { cannotStart } from './profile-problems.js';

/** A change of the running configuration, and its reversal. */
export interface Change<T> {
  readonly write: () => Promise<T>;
  /** Restores the previous state, unless another change has replaced it. */
  readonly undo: (written: T) => Promise<unknown>;
}

/**
 * Writes and applies a change; `effect` names the adapters that the change starts and stops. Undoes a change
 * that the server cannot apply, and throws. Callers must serialize calls.
 */
export async function takeEffect<T>(
  { write, undo }: Change<T>,
  { apply, live }: Pick<ProfilesDeps, 'apply' | 'live'>,
): Promise<{ readonly written: T; readonly effect: string }> {
  const before = live();
  const written = await write();
  try {
    const faults = await apply();
    if (faults.length > 0) throw cannotStart(faults);
  } catch (error) {
    await undo(written);
    // Applies the restored record with its new revision. If this fails too, the first error is the cause.
    await apply().catch(() => undefined);
    throw error;
  }
  return { written, effect: effectOf(before, live()) };
}

/** Returns sentences, each after a space, or an empty text. */
function effectOf(before: LiveProfile, after: LiveProfile): string {
  const failed = without(without(after.wanted, before.wanted), after.running);
  return [
    sentence('Started', without(after.running, before.running)),
    sentence('Stopped', without(before.wanted, after.wanted)),
    sentence('Could not be started', failed),
  ].join('');
}

function without(ids: readonly string[], others: readonly string[]): readonly string[] {
  return ids.filter((id) => !others.includes(id));
}

function sentence(verb: string, ids: readonly string[]): string {
  return ids.length > 0 ? ` ${verb}: ${ids.join(', ')}.` : '';
}
