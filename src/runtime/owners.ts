import type { PlacedReference } from '../secrets/find-references.js';
import type { LiveSnapshot } from './live-snapshot.js';

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
}: Pick<LiveSnapshot, 'desired' | 'main' | 'parts'>): ReadonlyMap<string, readonly PlacedReference[]> {
  const adapters = desired.adapters.map(
    ({ id, references }) => [id, union(references, parts.get(id)?.origin.references)] as const,
  );
  return new Map([[MAIN, union(desired.main.references, main.origin.references)], ...adapters]);
}

/** The pieces of a configuration that owners of references are. */
export function piecesOf(owners: Iterable<string>): ReadonlySet<string> {
  return new Set([...owners].map((owner) => (owner === MAIN ? '' : owner)));
}

function union(
  desired: readonly PlacedReference[],
  used: readonly PlacedReference[] = desired,
): readonly PlacedReference[] {
  return used === desired ? desired : [...desired, ...used];
}
