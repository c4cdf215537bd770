import type { PendingChange } from '../history/versions.js';
import type { ListedProfile } from './profile.js';

/** Returns the change of a profile that waits for its confirmation, as the pages show it. */
export function pendingOf({ pending }: ListedProfile): PendingChange | undefined {
  if (!pending) return undefined;
  const { time, until, author, comment } = pending;
  return { by: author?.name ?? null, at: Date.parse(time), reason: comment, until: Date.parse(until) };
}
