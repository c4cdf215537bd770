import { isList, isMembers, type Json, sameJson, withItem, withMember } from '../json/json.js';
import type { Node } from '../rows/node.js';

/**
 * Returns the document with another value at a node, and creates missing containers. `undefined` removes the
 * value and containers that become empty, except loaded containers and presence containers.
 */
export function documentWith(node: Node, value: Json | undefined): Json | undefined {
  let current = node;
  let next = asLoaded(node, value);
  for (let parent = current.parent; parent; parent = current.parent) {
    const container = withChild(parent, current.key, next);
    next =
      next === undefined && isEmpty(container) && isDroppable(parent)
        ? undefined
        : asLoaded(parent, container);
    current = parent;
  }
  return next;
}

/** Returns the loaded value if the value equals it, so that `writeJson` writes it byte for byte. */
function asLoaded({ loaded }: Node, value: Json | undefined): Json | undefined {
  return sameJson(value, loaded) ? loaded : value;
}

/** Returns a container with another child. */
function withChild({ kind, value }: Node, key: string, child: Json | undefined): Json {
  if (isList(value) || kind === 'list' || kind === 'leaf-list')
    return withItem(isList(value) ? value : [], Number(key), child);
  return withMember(isMembers(value) ? value : {}, key, child);
}

/**
 * Returns true if an empty container of this node can be removed: it was not loaded, and means the same as
 * none.
 */
export function isDroppable({ kind, loaded, removable }: Node): boolean {
  return loaded === undefined && !removable && kind !== 'presence' && kind !== 'entry' && kind !== 'json';
}

/** Returns true for an empty container or list. */
export function isEmpty(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
