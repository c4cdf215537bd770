import { isList, isMembers, type Json, sameJson } from '../json/json.js';
import { withItem, withMember } from '../json/locations.js';
import type { Node } from '../rows/node.js';

/**
 * Returns the document with another value at a node; missing containers are created. `undefined` removes the
 * value, and containers that exist only because of it, but neither loaded nor presence containers.
 */
export function written(node: Node, value: Json | undefined): Json | undefined {
  let at = node;
  let next = asLoaded(node, value);
  for (let parent = at.parent; parent; parent = at.parent) {
    const around = withChild(parent, at.key, next);
    next =
      next === undefined && isEmpty(around) && isDroppable(parent) ? undefined : asLoaded(parent, around);
    at = parent;
  }
  return next;
}

/** Returns the loaded value itself if nothing differs, so that it is written unchanged. */
function asLoaded({ loaded }: Node, value: Json | undefined): Json | undefined {
  return sameJson(value, loaded) ? loaded : value;
}

/** Returns a container with another child. */
function withChild({ kind, value }: Node, key: string, child: Json | undefined): Json {
  if (isList(value) || kind === 'list' || kind === 'leaf-list')
    return withItem(isList(value) ? value : [], Number(key), child);
  return withMember(isMembers(value) ? value : {}, key, child);
}

/** True if an empty container means the same as an absent one, and was not loaded. */
export function isDroppable({ kind, loaded, removable }: Node): boolean {
  return loaded === undefined && !removable && kind !== 'presence' && kind !== 'entry' && kind !== 'json';
}

/** True for an empty container or list. */
export function isEmpty(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
