import { constantOf } from '../field/editor.js';
import type { FieldKind } from '../field/field-kind.js';
import type { Field } from '../field/field.js';
import { fitsType, typesOf } from '../field/keywords.js';
import type { Choice } from '../field/yang.js';
import { isList, isMembers, isStructure, type Json, type JsonMembers, sameJson } from '../json/json.js';
import type { FormState } from '../state/form-state.js';
import type { RowKind } from '../types.js';

/** A field combined with the data: the source of a row and its children. */
export interface Node {
  readonly id: string;
  readonly pointer: string;
  readonly parent: Node | undefined;
  /** From 1; 0 for a root without a row. */
  readonly level: number;
  readonly kind: RowKind;
  readonly key: string;
  /** The field, with conditions and alternatives resolved. */
  readonly field: Field;
  readonly value: Json | undefined;
  readonly loaded: Json | undefined;
  readonly required: boolean;
  readonly unknown: boolean;
  readonly removable: boolean;
  /** Fields of the alternatives with their labels, and the index of the chosen one. */
  readonly variants: readonly Field[];
  readonly labels: readonly string[];
  readonly chosen: number | undefined;
  /** The unions of a field that has several; each has a row of its own. */
  readonly unions: readonly NodeUnion[];
  /** Title of the row of a union, and the members that only its chosen alternative has. */
  readonly unionTitle?: string;
  readonly unionNames?: readonly string[];
  /** Set for the row of a choice. */
  readonly choice: Choice | undefined;
}

/** One of several unions of a node. */
interface NodeUnion extends Pick<Node, 'variants' | 'labels' | 'chosen'> {
  readonly id: string;
  readonly title: string;
  /** Names of the members that only the chosen alternative has. */
  readonly names: readonly string[];
}

interface NodeSource {
  readonly parent: Node | undefined;
  readonly pointer: string;
  readonly key: string;
  readonly field: Field;
  readonly value: Json | undefined;
  readonly loaded: Json | undefined;
  readonly required?: boolean;
  readonly unknown?: boolean;
  readonly removable?: boolean;
  readonly isItem?: boolean;
}

/** Creates a node: resolves conditions and alternatives by the value, and determines the kind of row. */
export function makeNode(state: FormState, source: NodeSource): Node {
  const { parent, pointer, key, value, loaded } = source;
  const resolved = source.field.resolvedFor(value);
  const { field, unions } = withChosen(state, resolved, { pointer, value });
  const [only] = unions.length === 1 ? unions : [];
  const isItem = source.isItem === true;
  return {
    id: pointer,
    pointer,
    parent,
    level: parent ? parent.level + 1 : 0,
    kind: unions.length > 1 ? kindOfUnions(field, value, isItem) : kindOfNode(field, value, isItem),
    key,
    field,
    value,
    loaded,
    required: source.required === true,
    unknown: source.unknown === true,
    removable: source.removable === true,
    variants: only?.variants ?? [],
    labels: only?.labels ?? [],
    chosen: only?.chosen,
    unions: only ? [] : unions,
    choice: undefined,
  };
}

/** Returns the field with the chosen alternative of each union, and the unions. */
function withChosen(
  state: FormState,
  resolved: Field,
  { pointer, value }: { readonly pointer: string; readonly value: Json | undefined },
): { readonly field: Field; readonly unions: readonly NodeUnion[] } {
  const unions = resolved.kind === 'variants' ? resolved.unions : [];
  if (unions.length === 0) return { field: resolved, unions: [] };
  const ids = unions.map((_union, at) => (unions.length === 1 ? pointer : `${pointer}/~union:${at}`));
  const chosen = unions.map(({ variants }, at) => chosenVariant(state, ids[at] ?? '', { variants, value }));
  const field = resolved.choose(chosen).resolvedFor(value);
  const namesOf = (at: number) => {
    const others = resolved.choose(chosen.map((one, other) => (other === at ? undefined : one))).nameSet;
    return field.names.filter((name) => !others.has(name));
  };
  return {
    field,
    unions: unions.map(({ title, labels, variants }, at) => ({
      id: ids[at] ?? '',
      title,
      labels,
      names: unions.length > 1 ? namesOf(at) : [],
      // The alternatives of the other unions stay as they are.
      variants: variants.map((_variant, index) =>
        resolved.choose(chosen.map((one, other) => (other === at ? index : one))),
      ),
      chosen: chosen[at],
    })),
  };
}

/** Returns the kind of a row with several unions: without any alternative, it may have no members yet. */
function kindOfUnions(field: Field, value: Json | undefined, isItem: boolean): RowKind {
  const kind = kindOfNode(field, value, isItem);
  const canHaveMembers = value === undefined || isMembers(value);
  return kind === 'json' && canHaveMembers ? (isItem ? 'entry' : 'container') : kind;
}

function chosenVariant(
  state: FormState,
  pointer: string,
  { variants, value }: { readonly variants: readonly Field[]; readonly value: Json | undefined },
): number | undefined {
  if (state.chosen.has(pointer)) return state.chosen.get(pointer);
  return value === undefined ? undefined : bestVariant(variants, value);
}

/** Tests whether a kind of field can show a value. */
const CAN_SHOW: Readonly<Record<FieldKind, (value: Json) => boolean>> = {
  container: isMembers,
  presence: isMembers,
  list: isList,
  'leaf-list': isList,
  leaf: (value) => !isStructure(value),
  variants: () => false,
  json: () => true,
};

/**
 * Returns the kind of a row. A value that the field does not expect is shown as JSON, so that it is neither
 * lost nor hidden.
 */
function kindOfNode(field: Field, value: Json | undefined, isItem: boolean): RowKind {
  const { kind } = field;
  const fits = value === undefined || CAN_SHOW[kind](value) || (kind === 'leaf' && acceptsStructures(field));
  if (!fits) return 'json';
  if (kind === 'variants') return 'container';
  return isItem && (kind === 'container' || kind === 'presence') ? 'entry' : kind;
}

function acceptsStructures(field: Field): boolean {
  const enumValues = field.keyword('enum');
  const values: readonly unknown[] = Array.isArray(enumValues) ? enumValues : [field.keyword('const')];
  return (
    field.keyword('maxItems') === 1 || values.some((value) => typeof value === 'object' && value !== null)
  );
}

/**
 * Returns the index of the alternative that fits a value best: by its type, its constants and its members.
 */
function bestVariant(variants: readonly Field[], value: Json): number | undefined {
  const scores = variants.map((variant) => scoreOf(variant, value));
  const best = Math.max(...scores);
  return best < 0 ? undefined : scores.indexOf(best);
}

function scoreOf(variant: Field, value: Json): number {
  const types = typesOf(variant.parts);
  if (types.length > 0 && !types.some((type) => fitsType(value, type))) return -1;
  if (variant.kind === 'leaf') {
    const constant = constantOf(variant);
    return constant === undefined || sameJson(constant, value) ? 1 : -1;
  }
  return isMembers(value) ? memberScore(variant, value) : 1;
}

function memberScore(variant: Field, value: JsonMembers): number {
  const names = Object.keys(value);
  const clash = names.some((name) => {
    const constant = variant.describes(name) ? constantOf(variant.member(name)) : undefined;
    return constant !== undefined && !sameJson(constant, value[name]);
  });
  const missing = [...variant.required].filter((name) => !Object.hasOwn(value, name)).length;
  const known = names.filter((name) => variant.describes(name)).length;
  // Present members weigh more than missing ones.
  return clash ? 0 : 1 + known + 1 / (2 + missing);
}
