import { isMembers, type Json, type JsonMembers } from '../json/json.js';
import { nodeAt, nodeOf } from '../rows/find-node.js';
import type { Node } from '../rows/node.js';
import type { StashedValue, FormState } from './form-state.js';
import { committed } from './history.js';
import { carriedOver } from './starting-value.js';
import { isDroppable, isEmpty, written } from './write.js';

/**
 * Chooses an alternative of a row. Data of the others is stashed, and restored when they are chosen again.
 */
export function choose(state: FormState, id: string, alternative: number | undefined): FormState {
  const node = nodeOf(state, id);
  if (!node || node.chosen === alternative) return state;
  const switched = node.choice
    ? switchedCase(state, node, alternative)
    : switchedVariant(state, node, alternative);
  const { data, aside } = switched;
  const content = {
    data,
    chosen: new Map(state.chosen).set(id, alternative),
    aside: new Map(state.aside).set(id, aside),
    open: new Map(state.open).set(id, true),
  };
  return committed(state, { content, pointer: node.choice ? id : node.pointer, what: '' });
}

interface Switched {
  readonly data: Json | undefined;
  readonly aside: StashedValue;
}

function switchedVariant(state: FormState, node: Node, alternative: number | undefined): Switched {
  const { id, value, chosen } = node;
  const aside = new Map(state.aside.get(id));
  if (value !== undefined && chosen !== undefined) aside.set(chosen, value);
  if (alternative === undefined) return { data: written(withoutChoices(state, node), undefined), aside };
  const next = aside.get(alternative) ?? newValue(node, alternative);
  aside.delete(alternative);
  return { data: written(withoutChoices(state, node), next), aside };
}

/**
 * Returns the present value as far as the alternative describes it; nothing if there was no value and the
 * alternative requires none.
 */
function newValue(node: Node, alternative: number): Json | undefined {
  const variant = node.variants[alternative];
  const next = variant && carriedOver(variant, node.value);
  return node.value === undefined && isEmpty(next) && isDroppable(node) ? undefined : next;
}

/** Returns the same node by its pointer, which has no step for choices. */
function withoutChoices(state: FormState, node: Node): Node {
  return nodeAt(state, node.pointer) ?? node;
}

function switchedCase(state: FormState, node: Node, alternative: number | undefined): Switched {
  const { id, choice, pointer } = node;
  const container = nodeAt(state, pointer);
  const aside = new Map(state.aside.get(id));
  const members = isMembers(container?.value) ? container.value : {};
  let rest = members;
  choice?.cases.forEach(({ members: names }, index) => {
    if (index === alternative) return;
    const taken = picked(members, names);
    if (!isEmpty(taken)) aside.set(index, { ...asMembers(aside.get(index)), ...taken });
    rest = without(rest, names);
  });
  const restored = alternative === undefined ? {} : asMembers(aside.get(alternative));
  if (alternative !== undefined) aside.delete(alternative);
  const next = { ...rest, ...restored };
  if (!container) return { data: state.data, aside };
  const unchanged = isEmpty(restored) && Object.keys(rest).length === Object.keys(members).length;
  if (unchanged) return { data: state.data, aside };
  return {
    data: written(container, isEmpty(next) && isDroppable(container) && container.parent ? undefined : next),
    aside,
  };
}

function asMembers(value: Json | undefined): JsonMembers {
  return isMembers(value) ? value : {};
}

function picked(members: JsonMembers, names: readonly string[]): JsonMembers {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}

function without(members: JsonMembers, names: readonly string[]): JsonMembers {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}
