import { labelOf } from '../field/options.js';
import type { Node } from '../rows/node.js';
import type { FormState } from '../state/form-state.js';
import type { Option } from '../types.js';
import { scalarsOf, trailTo, valuesOnPath } from './location-path.js';

/** Returns the distinct values that a leafref may have in the same document. */
export function leafrefValues(state: FormState, node: Node, path: string): readonly Option[] {
  const values = valuesOnPath(path, trailTo(state.data, node.pointer)) ?? [];
  const options = new Map(
    scalarsOf(values).map((value) => [labelOf(value), { value, label: labelOf(value) }]),
  );
  return [...options.values()];
}
