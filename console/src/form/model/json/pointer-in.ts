import { pointerTo, pointerTokens } from '../../../../../src/json/pointer.js';
import { alignLists, keysOf, type Shape } from './align-lists.js';
import { isList, type Json } from './json.js';
import { childOf } from './locations.js';

/**
 * Returns the pointer of a location in another version of the document, where entries of lists may have another index;
 * undefined if the other version does not have the entry. The location itself may be absent in both.
 */
export function pointerIn(
  other: Json | undefined,
  from: { readonly document: Json | undefined; readonly pointer: string },
  root: Shape,
): string | undefined {
  let [here, there, shape, found] = [from.document, other, root as Shape | undefined, ''];
  for (const token of pointerTokens(from.pointer)) {
    let name = token;
    if (isList(here)) {
      const at = isList(there) ? alignLists(here, there, keysOf(shape)).indexOf(Number(token)) : -1;
      if (at === -1) return undefined;
      name = String(at);
      shape = shape?.itemShape();
    } else shape = shape?.memberShape(token);
    found = pointerTo(found, name);
    [here, there] = [childOf(here, token), childOf(there, name)];
  }
  return found;
}
