import { isTuple, tupleLength } from '../field/members.js';
import { isList } from '../json/json.js';
import type { ListFacts } from '../types.js';
import type { Node } from './node.js';

/** Returns the operations that a list allows on its entries; undefined unless the node is a list. */
export function listFacts({ kind, field, value }: Node): ListFacts | undefined {
  if (kind !== 'list' && kind !== 'leaf-list') return undefined;
  const length = isList(value) ? value.length : 0;
  const most = field.keyword('maxItems');
  const closed = isTuple(field.parts) && field.item(tupleLength(field.parts)).parts.length === 0;
  const full = (typeof most === 'number' && length >= most) || (closed && length >= tupleLength(field.parts));
  return {
    length,
    canAdd: !full,
    canRemove: length > 0,
    keys: field.keys,
    // Without YANG, the order of an array is significant.
    orderedByUser: field.yang.orderedByUser || field.keys.length === 0,
  };
}
