import type { LocatedReference } from '../../vault/find-references.js';
import type { ActiveSnapshot } from './active-snapshot.js';

/** Name of the main file among the owners of references; no adapter can be called so. */
const MAIN = '/main';

/**
 * The references in use by who uses them, for the source that keeps them fresh. A part that serves on because its
 * successor is no good has its own, and those of the configuration to become current with.
 */
export function ownersOf({
  desired,
  main,
  parts,
}: Pick<ActiveSnapshot, 'desired' | 'main' | 'parts'>): ReadonlyMap<string, readonly LocatedReference[]> {
  const adapters = desired.adapters.map(
    ({ id, references }) => [id, union(references, parts.get(id)?.origin.references)] as const,
  );
  return new Map([[MAIN, union(desired.main.references, main.origin.references)], ...adapters]);
}

/** The piece of a configuration that an owner of references is. */
export function sectionOf(owner: string): string {
  return owner === MAIN ? '' : owner;
}

/** The owners whose part uses other values than those of now: because it could not be replaced, or was not yet. */
export function staleOwners(
  { outdated }: Pick<ActiveSnapshot, 'outdated'>,
  unrenewed: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set([...outdated.keys(), ...unrenewed].map((section) => (section === '' ? MAIN : section)));
}

function union(
  desired: readonly LocatedReference[],
  used: readonly LocatedReference[] = desired,
): readonly LocatedReference[] {
  return used === desired ? desired : [...desired, ...used];
}
