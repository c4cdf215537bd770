import type { LocatedReference } from '../../secrets/find-references.js';
import type { ActiveSnapshot } from './snapshot.js';

/** Owner name of the main file, which is not a valid adapterId. */
const MAIN_OWNER = '/main';

/**
 * Returns the references in use by their owner, for the source that refreshes them. An outdated part has the references that
 * it was built from, and those of the configuration that is to replace it.
 */
export function ownersOf({
  desired,
  main,
  parts,
}: ActiveSnapshot): ReadonlyMap<string, readonly LocatedReference[]> {
  const adapters = desired.adapters.map(
    ({ id, references }) => [id, joinReferences(references, parts.get(id)?.origin.references)] as const,
  );
  return new Map([
    [MAIN_OWNER, joinReferences(desired.main.references, main.origin.references)],
    ...adapters,
  ]);
}

/** Returns the name of the section of an owner. */
export function sectionOf(owner: string): string {
  return owner === MAIN_OWNER ? '' : owner;
}

/** Returns the owners whose part does not use the current values, because it is outdated or not renewed yet. */
export function staleOwners(
  { outdated }: Pick<ActiveSnapshot, 'outdated'>,
  unrenewed: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(
    [...outdated.keys(), ...unrenewed].map((section) => (section === '' ? MAIN_OWNER : section)),
  );
}

function joinReferences(
  desired: readonly LocatedReference[],
  used: readonly LocatedReference[] = desired,
): readonly LocatedReference[] {
  return used === desired ? desired : [...desired, ...used];
}
