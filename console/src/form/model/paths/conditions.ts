import { parentPointer } from '../json/locations.js';
import type { Node } from '../rows/node.js';
import type { FormState } from '../state/form-state.js';
import type { Condition } from '../types.js';
import type { YangRule } from '../field/yang.js';
import { trailTo } from './location-path.js';
import { evaluateXpath } from './xpath.js';

/** Returns the `when` conditions of a node with their results. */
export function conditionsOf(state: FormState, { field, pointer }: Node): readonly Condition[] {
  return field.yang.when.map((rule) => {
    const at = rule.fromParent ? parentPointer(pointer) : pointer;
    return { ...told(rule), holds: evaluateXpath(rule.xpath, trailTo(state.data, at)) };
  });
}

/** Returns the `must` conditions of a node. Their results stay undefined: only the device evaluates them. */
export function mustsOf({ field }: Node): readonly Condition[] {
  return field.yang.must.map((rule) => ({ ...told(rule), holds: undefined }));
}

function told({ xpath, message }: YangRule): { readonly xpath: string; readonly message?: string } {
  return message === undefined ? { xpath } : { xpath, message };
}
