import { isTuple, tupleLength } from '../field/members.js';
import { isList } from '../json/json.js';
import type { ListFacts } from '../types.js';
import type { Node } from './node.js';

/** What can be done with the entries of a list; undefined for what is none. */
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
    // Without YANG the order of an array means something.
    orderedByUser: field.yang.orderedByUser || field.keys.length === 0,
  };
}
