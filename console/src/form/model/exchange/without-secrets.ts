import { pointerTo } from '../../../../../src/json/pointer.js';
import { isList, isMembers, type Json } from '../json/json.js';
import { rowAt } from '../rows/rows-of.js';
import type { FormState } from '../state/form-state.js';

/**
 * Returns the value at a location of the form's data with `hidden` in place of each secret: the value itself, and the
 * secrets inside a structure.
 */
export function withoutSecrets(state: FormState, pointer: string, hidden: string): Json | undefined {
  const value = rowAt(state, pointer)?.value;
  return value === undefined ? undefined : hide(value, pointer);

  function hide(each: Json, at: string): Json {
    const editor = rowAt(state, at)?.editor;
    if (editor?.kind === 'text' && editor.secret) return hidden;
    if (isList(each)) return each.map((item, index) => hide(item, pointerTo(at, index)));
    if (!isMembers(each)) return each;
    return Object.fromEntries(
      Object.entries(each).map(([name, member]) => [name, hide(member, pointerTo(at, name))]),
    );
  }
}
