import { isMembers, type Json, type JsonMembers } from '../json/json.js';
import { nodeAt, nodeOf } from '../rows/children.js';
import type { Node } from '../rows/node.js';
import type { FormState, StashedValue } from './form-state.js';
import { committed } from './history.js';
import { valueForVariant } from './values.js';
import { documentWith, isDroppable, isEmpty } from './write.js';

/**
 * Returns the state with another alternative of a row. The data of the previous alternative is stashed, and
 * restored when the user chooses that alternative again.
 */
export function choose(state: FormState, id: string, alternative: number | undefined): FormState {
  const node = nodeOf(state, id);
  if (!node || node.chosen === alternative) return state;
  const isRow = node.kind === 'choice';
  const switchTo = node.choice ? switchedCase : isRow ? switchedUnion : switchedVariant;
  const switched = switchTo(state, node, alternative);
  const { data, stashed } = switched;
  const content = {
    data,
    chosen: new Map(state.chosen).set(id, alternative),
    stashed: new Map(state.stashed).set(id, stashed),
    open: new Map(state.open).set(id, true),
  };
  return committed(state, { content, pointer: isRow ? id : node.pointer, editName: '' });
}

interface Switched {
  readonly data: Json | undefined;
  readonly stashed: StashedValue;
}

function switchedVariant(state: FormState, node: Node, alternative: number | undefined): Switched {
  const { id, value, chosen } = node;
  const stashed = new Map(state.stashed.get(id));
  if (value !== undefined && chosen !== undefined) stashed.set(chosen, value);
  if (alternative === undefined)
    return { data: documentWith(withoutChoices(state, node), undefined), stashed };
  const next = stashed.get(alternative) ?? newValue(node, alternative);
  stashed.delete(alternative);
  return { data: documentWith(withoutChoices(state, node), next), stashed };
}

/**
 * Returns the members of the current value that the new alternative describes. Returns undefined if there was
 * no value and the alternative has no constants.
 */
function newValue(node: Node, alternative: number): Json | undefined {
  const variant = node.variants[alternative];
  const next = variant && valueForVariant(variant, node.value);
  return node.value === undefined && isEmpty(next) && isDroppable(node) ? undefined : next;
}

/** Switches one of several unions. The members that only the previous alternative describes are stashed. */
function switchedUnion(state: FormState, node: Node, alternative: number | undefined): Switched {
  const { id, chosen, pointer } = node;
  const stashed = new Map(state.stashed.get(id));
  const container = nodeAt(state, pointer);
  const variant = node.variants[alternative ?? -1];
  if (!container || !variant || alternative === undefined) return { data: state.data, stashed };
  const members = asMembers(container.value);
  const names = Object.keys(members).filter(
    (name) => container.field.describes(name) && !variant.describes(name),
  );
  const dropped = onlyMembers(members, names);
  if (chosen !== undefined && !isEmpty(dropped)) stashed.set(chosen, dropped);
  const remaining = withoutMembers(members, names);
  const restored = asMembers(stashed.get(alternative));
  stashed.delete(alternative);
  const next = { ...remaining, ...asMembers(valueForVariant(variant, remaining)), ...restored };
  return { data: withContainer(container, next), stashed };
}

/** Returns the node at the same pointer, with the container as its parent instead of a choice. */
function withoutChoices(state: FormState, node: Node): Node {
  return nodeAt(state, node.pointer) ?? node;
}

function switchedCase(state: FormState, node: Node, alternative: number | undefined): Switched {
  const { id, choice, pointer } = node;
  const container = nodeAt(state, pointer);
  const stashed = new Map(state.stashed.get(id));
  const members = asMembers(container?.value);
  let remaining = members;
  choice?.cases.forEach(({ members: names }, index) => {
    if (index === alternative) return;
    const removed = onlyMembers(members, names);
    if (!isEmpty(removed)) stashed.set(index, { ...asMembers(stashed.get(index)), ...removed });
    remaining = withoutMembers(remaining, names);
  });
  const restored = alternative === undefined ? {} : asMembers(stashed.get(alternative));
  if (alternative !== undefined) stashed.delete(alternative);
  const isUnchanged = isEmpty(restored) && Object.keys(remaining).length === Object.keys(members).length;
  if (!container || isUnchanged) return { data: state.data, stashed };
  return { data: withContainer(container, { ...remaining, ...restored }), stashed };
}

/** Returns the document with other members in a container; without the container if it becomes empty and can be absent. */
function withContainer(container: Node, members: JsonMembers): Json | undefined {
  const isDropped = isEmpty(members) && isDroppable(container) && container.parent !== undefined;
  return documentWith(container, isDropped ? undefined : members);
}

function asMembers(value: Json | undefined): JsonMembers {
  return isMembers(value) ? value : {};
}

function onlyMembers(members: JsonMembers, names: readonly string[]): JsonMembers {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}

function withoutMembers(members: JsonMembers, names: readonly string[]): JsonMembers {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}
