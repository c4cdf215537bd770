import type { PlacedReference } from '../secrets/find-references.js';
import type { Desired } from './desired.js';

/** Name of the main file among the owners of references; no adapter can be called so. */
const MAIN = '/main';

/** The references of a configuration by who uses them, for the source that keeps them fresh. */
export function ownersOf({ main, adapters }: Desired): ReadonlyMap<string, readonly PlacedReference[]> {
  return new Map([main, ...adapters].map(({ name, references }) => [name || MAIN, references]));
}
