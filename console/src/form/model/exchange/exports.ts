import { mergePatchBetween, patchBetween, type PatchOperation } from '../json/patch.js';
import { isList, isMembers, type Json, type JsonMembers } from '../json/json.js';
import { writeJson } from '../json/json-text.js';
import type { FormState } from '../state/form-state.js';
import { isEmpty } from '../state/write.js';
import { childrenOf } from '../rows/children.js';
import { rootNode } from '../rows/find-node.js';
import type { Node } from '../rows/node.js';

/** Returns the document as JSON. Without an indent, unedited parts are byte for byte as they were loaded. */
export function documentText({ data }: FormState, indent = 0): string {
  return data === undefined ? '' : writeJson(data, indent);
}

/** Returns the edits as a JSON Patch (RFC 6902). */
export function jsonPatch({ loaded, data, form }: FormState): readonly PatchOperation[] {
  if (data === undefined) return loaded === undefined ? [] : [{ op: 'remove', path: '' }];
  return loaded === undefined
    ? [{ op: 'add', path: '', value: data }]
    : patchBetween({ before: loaded, after: data }, form.root);
}

/**
 * Returns the edits as a JSON merge patch (RFC 7396); undefined if a member becomes null, which a merge patch
 * cannot express.
 */
export function mergePatch({ loaded, data }: FormState): Json | undefined {
  return mergePatchBetween(loaded ?? null, data ?? {});
}

/**
 * Returns the document as defined by RFC 7951: top-level names with their module, keys of entries first,
 * members in the order of the model, without empty containers that have no meaning. Members that the model
 * does not describe stay.
 */
export function yangDocument(state: FormState): Json {
  const root = rootNode(state);
  if (!isMembers(root.value)) return root.value ?? {};
  const members = Object.entries(tidied(state, root) as JsonMembers).map(
    ([name, value]) => [qualified(root, name), value] as const,
  );
  return Object.fromEntries(members);
}

function qualified({ field }: Node, name: string): string {
  const { module } = field.member(name).yang;
  return name.includes(':') || name.startsWith('@') || module === undefined ? name : `${module}:${name}`;
}

function tidied(state: FormState, node: Node): Json | undefined {
  const { kind, value, field } = node;
  if (isList(value) && kind === 'list')
    return children(state, node).map((child) => tidied(state, child) ?? {});
  if (!isMembers(value) || kind === 'json') return value;
  const nodes = new Map(children(state, node).map((child) => [child.key, child]));
  const names = [
    ...new Set([...field.keys, ...(node.parent?.field.keys ?? []), ...field.names, ...Object.keys(value)]),
  ];
  const members = names.flatMap((name) => {
    const child = nodes.get(name);
    const inner = child && Object.hasOwn(value, name) ? tidied(state, child) : undefined;
    const says =
      inner !== undefined && !(isEmpty(inner) && child?.kind !== 'presence' && child?.kind !== 'json');
    return says ? [[name, inner] as const] : [];
  });
  return Object.fromEntries(members);
}

/** Returns the children, with choices replaced by their members. */
function children(state: FormState, node: Node): readonly Node[] {
  return childrenOf(state, node).flatMap((child) =>
    child.kind === 'choice' ? children(state, child) : [child],
  );
}
