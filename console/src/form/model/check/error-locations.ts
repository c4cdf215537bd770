import { parentPointer } from '../json/locations.js';
import type { FormState } from '../state/form-state.js';
import type { RowError } from '../types.js';

interface ErrorPlaces {
  readonly at: ReadonlyMap<string, readonly RowError[]>;
  readonly below: ReadonlyMap<string, number>;
}

const PLACES = new WeakMap<readonly RowError[], ErrorPlaces>();

/** Returns the errors of the value at a pointer itself. */
export function errorsAt({ errors }: Pick<FormState, 'errors'>, pointer: string): readonly RowError[] {
  return placesOf(errors).at.get(pointer) ?? [];
}

/** Counts the errors below a pointer, without those of the value itself. */
export function errorsBelow({ errors }: Pick<FormState, 'errors'>, pointer: string): number {
  return placesOf(errors).below.get(pointer) ?? 0;
}

function placesOf(errors: readonly RowError[]): ErrorPlaces {
  const known = PLACES.get(errors);
  if (known) return known;
  const at = new Map<string, RowError[]>();
  const below = new Map<string, number>();
  for (const error of errors) {
    at.set(error.pointer, [...(at.get(error.pointer) ?? []), error]);
    for (let around = error.pointer; around !== '';) {
      around = parentPointer(around);
      below.set(around, (below.get(around) ?? 0) + 1);
    }
  }
  PLACES.set(errors, { at, below });
  return { at, below };
}
