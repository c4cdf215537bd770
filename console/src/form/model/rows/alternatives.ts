import type { FormState } from '../state/form-state.js';
import type { Alternatives } from '../types.js';
import type { Node } from './node.js';

/** Returns the alternatives that a row offers; undefined if it has none. */
export function alternativesOf(state: FormState, node: Node): Alternatives | undefined {
  const { choice, variants, chosen, id, required } = node;
  if (!choice && variants.length === 0) return undefined;
  const names = choice
    ? choice.cases.map(({ name }) => name)
    : variants.map(({ source }, at) => source.alternative ?? `#${at + 1}`);
  const aside = [...(state.aside.get(id)?.keys() ?? [])].filter((index) => index !== chosen);
  return { names, chosen, aside, mandatory: required };
}
