import { isList, isMembers, type Json } from '../json/json.js';
import { withItem, withMember } from '../json/locations.js';
import { sameJson } from '../json/same-json.js';
import type { Node } from '../rows/node.js';

/**
 * The document with another value at a node, made with the containers around it where they are absent; without it for
 * `undefined`, and then without containers that were only there for it: none that was loaded, and no presence.
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

/** What is as it was loaded is the loaded value itself, so that it is written as it was. */
function asLoaded({ loaded }: Node, value: Json | undefined): Json | undefined {
  return sameJson(value, loaded) ? loaded : value;
}

/** A container with another child. */
function withChild({ kind, value }: Node, key: string, child: Json | undefined): Json {
  if (isList(value) || kind === 'list' || kind === 'leaf-list')
    return withItem(isList(value) ? value : [], Number(key), child);
  return withMember(isMembers(value) ? value : {}, key, child);
}

/** True when an empty container says no more than an absent one, and was absent to begin with. */
export function isDroppable({ kind, loaded, removable }: Node): boolean {
  return loaded === undefined && !removable && kind !== 'presence' && kind !== 'entry' && kind !== 'json';
}

/** True for a container or list with nothing in it. */
export function isEmpty(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
