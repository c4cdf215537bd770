import type { LiveProfile, ProfilesDeps } from './deps.js';
import { cannotStart } from './profile-problems.js';

/** A change of what runs, and the way back. */
export interface Change<T> {
  readonly write: () => Promise<T>;
  /** Puts back what stood there, unless somebody else changed it meanwhile. */
  readonly undo: (written: T) => Promise<unknown>;
}

/**
 * Writes, and makes it live; `effect` tells which adapters that starts and stops. What the server cannot run with is put
 * back, and refused. To be done in one turn.
 */
export async function takeEffect<T>(
  { write, undo }: Change<T>,
  { apply: takeUp, live }: Pick<ProfilesDeps, 'apply' | 'live'>,
): Promise<{ readonly written: T; readonly effect: string }> {
  const before = live();
  const written = await write();
  try {
    const faults = await takeUp();
    if (faults.length > 0) throw cannotStart(faults);
  } catch (error) {
    await undo(written);
    // What is live is what is kept, at the revision that it has now. When that fails too, the first failure tells why.
    await takeUp().catch(() => undefined);
    throw error;
  }
  return { written, effect: effectOf(before, live()) };
}

/** Empty, or sentences with a space before them. */
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
