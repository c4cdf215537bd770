import { pointerTo, pointerTokens } from '../../../../../src/json/pointer.js';
import { isTuple, tupleLength } from '../field/members.js';
import { type Choice, choiceMembers } from '../field/yang.js';
import { alignLists } from '../json/align-lists.js';
import { childOf, isList, isMembers, type Json } from '../json/json.js';
import type { FormState } from '../state/form-state.js';
import type { RowKind } from '../types.js';
import { makeNode, type Node } from './node.js';

/** Returns the children of a node, open or closed. */
export function childrenOf(state: FormState, node: Node): readonly Node[] {
  switch (node.kind) {
    case 'container':
    case 'presence':
    case 'entry':
      return memberNodes(state, node);
    case 'list':
    case 'leaf-list':
      return itemNodes(state, node);
    case 'choice':
      return caseNodes(state, node);
    default:
      return [];
  }
}

const MEMBER_KINDS: ReadonlySet<RowKind> = new Set(['container', 'presence', 'entry']);

/**
 * Returns the child for a pointer token, without creating its siblings; for a list, also the entry after the
 * last one.
 */
export function childAt(state: FormState, node: Node, token: string): Node | undefined {
  if (isList(node.value) || node.kind === 'list' || node.kind === 'leaf-list') {
    const length = isList(node.value) ? node.value.length : 0;
    return Number(token) <= length ? itemNode(state, node, Number(token)) : undefined;
  }
  const canHaveMembers = isMembers(node.value) || (node.value === undefined && MEMBER_KINDS.has(node.kind));
  return canHaveMembers ? memberNode(state, node, token) : undefined;
}

/** Returns the index of the active case: the chosen case, the case with data, or the default case. */
function chosenCase(state: FormState, id: string, { choice, value }: ChoiceAt): number | undefined {
  if (state.chosen.has(id)) return state.chosen.get(id);
  const filled = choice.cases.findIndex(({ members }) => members.some((name) => hasMember(value, name)));
  if (filled !== -1) return filled;
  const defaultCase = choice.cases.findIndex(({ name }) => name === choice.defaultCase);
  return defaultCase === -1 ? undefined : defaultCase;
}

interface ChoiceAt {
  readonly choice: Choice;
  /** Value of the enclosing container. */
  readonly value: Json | undefined;
}

/** Returns true if the member exists. */
export function hasMember(value: Json | undefined, name: string): boolean {
  return isMembers(value) && Object.hasOwn(value, name);
}

function memberNodes(state: FormState, node: Node): readonly Node[] {
  const { field, value } = node;
  // What the form does not know yet is not unknown to the schema.
  if (field.leftOut.length > 0) return [];
  const inUnions = new Set(node.unions.flatMap(({ names }) => names));
  const shown =
    inUnions.size === 0 ? field.shownNames : field.shownNames.filter((name) => !inUnions.has(name));
  const named = groupedNodes(state, node, { names: shown, choices: field.choices });
  const nameSet = node.unions.length === 0 ? named : [...unionNodes(node), ...named];
  if (!isMembers(value)) return nameSet;
  const others = Object.keys(value).filter((name) => !field.nameSet.has(name));
  return others.length === 0 ? nameSet : [...nameSet, ...others.map((name) => memberNode(state, node, name))];
}

/** Returns the rows of the unions of a node that has several. */
function unionNodes(parent: Node): readonly Node[] {
  const { value, loaded, field, pointer } = parent;
  return parent.unions.map(({ id, title, names, ...union }) => ({
    ...union,
    id,
    pointer,
    parent,
    level: parent.level + 1,
    kind: 'choice',
    key: id,
    unionTitle: title,
    unionNames: names,
    field,
    value,
    loaded,
    unions: [],
    choice: undefined,
    required: true,
    unknown: false,
    removable: false,
  }));
}

interface Group {
  readonly names: readonly string[];
  readonly choices: readonly Choice[];
}

/**
 * Returns the nodes of members in order; members of a choice are grouped at the position of its first member.
 */
function groupedNodes(state: FormState, node: Node, { names, choices }: Group): readonly Node[] {
  if (choices.length === 0) return names.map((name) => memberNode(state, node, name));
  const owner = new Map(
    choices.flatMap((choice) => choiceMembers(choice).map((name) => [name, choice] as const)),
  );
  const visited = new Set<Choice>();
  return names.flatMap((name) => {
    const choice = owner.get(name);
    if (!choice) return [memberNode(state, node, name)];
    if (visited.has(choice)) return [];
    visited.add(choice);
    return [choiceNode(state, node, choice)];
  });
}

/** Returns the row id of a choice. It is not a valid pointer, because `~c` has no meaning in a pointer. */
function choiceId(parent: Node, choice: Choice): string {
  return parent.kind === 'choice'
    ? `${parent.id}:${choice.name}`
    : `${parent.pointer}/~choice:${choice.name}`;
}

function choiceNode(state: FormState, parent: Node, choice: Choice): Node {
  const id = choiceId(parent, choice);
  const { value, loaded, field, pointer } = parent;
  return {
    id,
    pointer,
    parent,
    level: parent.level + 1,
    kind: 'choice',
    key: choice.name,
    field,
    value,
    loaded,
    choice,
    required: choice.mandatory,
    unknown: false,
    removable: false,
    variants: [],
    labels: [],
    unions: [],
    chosen: chosenCase(state, id, { choice, value }),
  };
}

/** Returns the members of the active case, and members of other cases that have data by mistake. */
function caseNodes(state: FormState, node: Node): readonly Node[] {
  const { choice, chosen, value, unionNames = [] } = node;
  if (!choice) return unionNames.map((name) => memberNode(state, node, name));
  return choice.cases.flatMap(({ members, choices }, index) => {
    const names = index === chosen ? members : members.filter((name) => hasMember(value, name));
    return groupedNodes(state, node, { names, choices: index === chosen ? choices : [] });
  });
}

function memberNode(state: FormState, parent: Node, name: string): Node {
  const { value, loaded, field, pointer } = parent;
  const described = field.describes(name);
  return makeNode(state, {
    parent,
    pointer: pointerTo(pointer, name),
    key: name,
    field: field.member(name),
    value: isMembers(value) ? childOf(value, name) : undefined,
    loaded: isMembers(loaded) ? childOf(loaded, name) : undefined,
    required: field.required.has(name),
    unknown: !described,
    removable: !field.nameSet.has(name),
  });
}

function itemNodes(state: FormState, node: Node): readonly Node[] {
  const length = isList(node.value) ? node.value.length : 0;
  const count =
    node.kind === 'list' && isTuple(node.field.parts)
      ? Math.max(length, tupleLength(node.field.parts))
      : length;
  return Array.from({ length: count }, (_, index) => itemNode(state, node, index));
}

/** Returns the node of a list entry, or of a new entry after the last one. */
export function itemNode(state: FormState, parent: Node, index: number): Node {
  const { field, pointer, value } = parent;
  return makeNode(state, {
    parent,
    pointer: pointerTo(pointer, index),
    key: String(index),
    field: field.item(index),
    value: isList(value) ? value[index] : undefined,
    loaded: loadedItem(parent, index),
    removable: true,
    isItem: true,
  });
}

/** Returns the loaded value of the same entry, which may have had another index. */
function loadedItem({ value, loaded, field }: Node, index: number): Json | undefined {
  if (!isList(loaded) || !isList(value)) return undefined;
  if (value === loaded) return loaded[index];
  return loaded[alignLists(loaded, value, field.keys)[index] ?? -1];
}

/** Returns the node of the whole document. */
export function rootNode(state: FormState): Node {
  const { form, data: value, loaded } = state;
  const node = makeNode(state, {
    parent: undefined,
    pointer: '',
    key: '',
    field: form.root,
    value,
    loaded,
    required: true,
  });
  return hasRow(node) ? { ...node, level: 1 } : node;
}

/** Returns true if the document's root node has a row itself; otherwise only its members have rows. */
export function hasRow(root: Node): boolean {
  return root.kind !== 'container' || root.variants.length > 0;
}

/** Returns the node at a pointer, whether it has a row or not; undefined if no value is possible there. */
export function nodeAt(state: FormState, pointer: string): Node | undefined {
  let node: Node | undefined = rootNode(state);
  for (const token of pointerTokens(pointer)) node = node && childAt(state, node, token);
  return node;
}

/** Returns the node of a row by its id, including choices on the way; undefined if there is no such row. */
export function nodeOf(state: FormState, id: string): Node | undefined {
  let node: Node | undefined = rootNode(state);
  while (node && node.id !== id) node = childTowards(state, node, id);
  return node;
}

function childTowards(state: FormState, node: Node, id: string): Node | undefined {
  if (node.kind === 'list' || node.kind === 'leaf-list') {
    const [token] = pointerTokens(id.slice(node.pointer.length));
    return token === undefined ? undefined : childAt(state, node, token);
  }
  const children = childrenOf(state, node);
  const direct = children.find(
    (child) => child.id === id || id.startsWith(child.id + (child.kind === 'choice' ? ':' : '/')),
  );
  if (direct) return direct;
  return children.find((child) => child.kind === 'choice' && childTowards(state, child, id) !== undefined);
}
