import { parentPointer } from '../json/json.js';
import type { FormState } from '../state/form-state.js';
import type { RowError } from '../types.js';

/** The errors at each location, and the number of errors below each location. */
interface ErrorIndex {
  readonly at: ReadonlyMap<string, readonly RowError[]>;
  readonly below: ReadonlyMap<string, number>;
}

const INDEXES = new WeakMap<readonly RowError[], ErrorIndex>();

export function errorsAt({ errors }: Pick<FormState, 'errors'>, pointer: string): readonly RowError[] {
  return indexOfErrors(errors).at.get(pointer) ?? [];
}

/** Counts the errors below a pointer, without those of the value itself. */
export function errorsBelow({ errors }: Pick<FormState, 'errors'>, pointer: string): number {
  return indexOfErrors(errors).below.get(pointer) ?? 0;
}

function indexOfErrors(errors: readonly RowError[]): ErrorIndex {
  const known = INDEXES.get(errors);
  if (known) return known;
  const at = new Map<string, RowError[]>();
  const below = new Map<string, number>();
  for (const error of errors) {
    at.set(error.pointer, [...(at.get(error.pointer) ?? []), error]);
    for (let ancestor = error.pointer; ancestor !== '';) {
      ancestor = parentPointer(ancestor);
      below.set(ancestor, (below.get(ancestor) ?? 0) + 1);
    }
  }
  INDEXES.set(errors, { at, below });
  return { at, below };
}
