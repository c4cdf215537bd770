import { pointerTokens } from '../../src/json/pointer.js';
import type { DocumentValidator } from '../../src/yang/document/validate-document.js';
import type { DataViolation } from '../../src/yang/document/violations.js';
import type { Random } from '../../test/support/random.js';
import type { Generated, Json } from '../../test/support/yang-documents/generate.js';

/** Maximum number of removals until a document is given up. */
const MAX_REMOVALS = 200;

/** A document that our validator accepts, and the last document before it, which breaks one rule. */
interface Repaired {
  readonly document: Json;
  readonly before: Json | undefined;
  /** The rule that `before` breaks. */
  readonly rule: string;
}

/** Gives most leafrefs of a document the value of a leaf that they may refer to. */
export function connectLeafrefs({ spots }: Generated, random: Random): void {
  for (const { node, holder, name } of spots) {
    const target = node.type && node.targets?.get(node.type);
    if (!target || random.chance(0.2)) continue;
    const values = spots.flatMap((spot) => (spot.node === target ? [spot.holder[spot.name]].flat() : []));
    const value = random.pick(values);
    if (value === undefined || typeof value === 'object') continue;
    holder[name] = node.kind === 'leaf-list' ? [value] : value;
  }
}

/** Removes what breaks a rule, one node at a time, until the document is valid. */
export function repair(document: Json, validator: DocumentValidator): Repaired | undefined {
  let current = document;
  let before: Json | undefined;
  let rule = '';
  for (let removals = 0; removals < MAX_REMOVALS; removals += 1) {
    const { violations } = validator.validate(current);
    const [first] = violations;
    if (!first) return { document: current, before, rule };
    before = violations.length === 1 ? current : undefined;
    rule = first.rule;
    current = withoutNode(current, first);
  }
  return undefined;
}

/** Returns a copy without the node that a violation names; without its parent, if the node is missing. */
function withoutNode(document: Json, { pointer }: DataViolation): Json {
  const copy = structuredClone(document);
  const tokens = pointerTokens(pointer);
  while (tokens.length > 0) {
    if (remove(copy, tokens)) return copy;
    (tokens as string[]).pop();
  }
  return {};
}

function remove(document: unknown, tokens: readonly string[]): boolean {
  let holder: unknown = document;
  for (const token of tokens.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null) return false;
    holder = (holder as Json)[token];
  }
  const last = tokens.at(-1) ?? '';
  if (Array.isArray(holder)) return holder.splice(Number(last), 1).length > 0;
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last)) return false;
  return Reflect.deleteProperty(holder, last);
}
