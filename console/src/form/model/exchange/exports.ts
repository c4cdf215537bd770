import { pointerTo } from '../../../../../src/json/pointer.js';
import { writeJson } from '../json/json-text.js';
import { isList, isMembers, type Json, type JsonMembers } from '../json/json.js';
import { mergePatchBetween, patchBetween, type PatchOperation } from '../json/patch.js';
import { childrenOf, rootNode } from '../rows/children.js';
import type { Node } from '../rows/node.js';
import { rowAt } from '../rows/rows-of.js';
import type { FormState } from '../state/form-state.js';
import { isEmpty } from '../state/write.js';

/** Returns the document as JSON. Without an indent, unedited parts are written byte for byte as loaded. */
export function documentText({ data }: FormState, indent = 0): string {
  return data === undefined ? '' : writeJson(data, indent);
}

/** Returns the edits as a JSON Patch (RFC 6902). */
export function jsonPatch({ loaded, data, form }: FormState): readonly PatchOperation[] {
  return patchBetween(loaded, data, form.root);
}

/**
 * Returns the edits as a JSON merge patch (RFC 7396); undefined if a member becomes null, which a merge patch
 * cannot express.
 */
export function mergePatch({ loaded, data }: FormState): Json | undefined {
  return mergePatchBetween(loaded ?? null, data ?? {});
}

/**
 * Returns the document as defined by RFC 7951. Top-level names have their module, keys come first in entries,
 * and members have the order of the model. Empty non-presence containers are left out; members that the model
 * does not describe are kept.
 */
export function yangDocument(state: FormState): Json {
  const root = rootNode(state);
  if (!isMembers(root.value)) return root.value ?? {};
  const members = Object.entries(normalized(state, root) as JsonMembers).map(
    ([name, value]) => [qualified(root, name), value] as const,
  );
  return Object.fromEntries(members);
}

function qualified({ field }: Node, name: string): string {
  const { module } = field.member(name).yang;
  return name.includes(':') || name.startsWith('@') || module === undefined ? name : `${module}:${name}`;
}

function normalized(state: FormState, node: Node): Json | undefined {
  const { kind, value, field } = node;
  if (isList(value) && kind === 'list')
    return children(state, node).map((child) => normalized(state, child) ?? {});
  if (!isMembers(value) || kind === 'json') return value;
  const nodes = new Map(children(state, node).map((child) => [child.key, child]));
  const names = [
    ...new Set([...field.keys, ...(node.parent?.field.keys ?? []), ...field.names, ...Object.keys(value)]),
  ];
  const members = names.flatMap((name) => {
    const child = nodes.get(name);
    const inner = child && Object.hasOwn(value, name) ? normalized(state, child) : undefined;
    const isKept =
      inner !== undefined && !(isEmpty(inner) && child?.kind !== 'presence' && child?.kind !== 'json');
    return isKept ? [[name, inner] as const] : [];
  });
  return Object.fromEntries(members);
}

/** Returns the children, with choices replaced by their members. */
function children(state: FormState, node: Node): readonly Node[] {
  return childrenOf(state, node).flatMap((child) =>
    child.kind === 'choice' ? children(state, child) : [child],
  );
}

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
