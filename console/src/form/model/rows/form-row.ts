import { errorsAt, errorsBelow } from '../check/error-locations.js';
import type { Field } from '../field/field.js';
import { namePatterns, suggestedNames, takesAnyName, tupleLength } from '../field/members.js';
import { labelOf } from '../field/options.js';
import { typeLabel } from '../field/type-label.js';
import { uiText } from '../field/ui.js';
import { childOf, filledLeaves, isStructure, type Json, jsonFrom, sameJson } from '../json/json.js';
import type { FormState } from '../state/form-state.js';
import type { AddableMembers, Row } from '../types.js';
import type { Node } from './node.js';
import {
  alternativesOf,
  boundAt,
  conditionsOf,
  isNullable,
  listFacts,
  mustsOf,
  rowEditor,
  rowTitle,
} from './row-properties.js';

/** Position of a row among the visible rows. */
export type RowPosition = Pick<Row, 'open' | 'expandable' | 'position' | 'setSize' | 'hit'>;

interface RowSource {
  readonly state: FormState;
  readonly node: Node;
  readonly at: RowPosition;
}

/** Maximum length of the texts of untrusted schemas. */
const [MAX_TITLE, MAX_TEXT] = [300, 10_000];

type Read<Value> = (source: RowSource, row: Row) => Value;

/** The properties of a row. Each is computed on access, because only about thirty of thousands of rows are drawn. */
const PROPERTIES: { readonly [Name in keyof Row]: Read<Row[Name]> } = {
  id: ({ node }) => node.id,
  pointer: ({ node }) => node.pointer,
  parent: ({ node: { parent } }) => (parent && parent.level > 0 ? parent.id : undefined),
  kind: ({ node }) => node.kind,
  level: ({ node }) => node.level,
  position: ({ at }) => at.position,
  setSize: ({ at }) => at.setSize,
  expandable: ({ at }) => at.expandable,
  open: ({ at }) => at.open,
  hit: ({ at }) => at.hit,
  key: ({ node }) => node.key,
  title: ({ node }) => truncated(rowTitle(node), MAX_TITLE),
  description: ofField(({ description }) => description && truncated(description, MAX_TEXT)),
  help: ofField(({ source }) => {
    const help = uiText(source.ui, 'help');
    return help && truncated(help, MAX_TEXT);
  }),
  placeholder: ofField(({ source }) => uiText(source.ui, 'placeholder')),
  type: ({ node: { kind, unknown, field } }) => {
    if (kind === 'choice') return 'choice';
    return kind === 'json' && unknown ? 'unknown' : typeLabel(field);
  },
  units: ofField(({ yang }) => yang.units),
  defaultValue: ofField((field, { state }) => {
    const value = field.keyword('default');
    return state.defaults.get(field.source.path) ?? (value === undefined ? undefined : jsonFrom(value));
  }),
  deprecated: ofField((field) => field.keyword('deprecated') === true, false),
  yang: ofField(({ yang }) => yang.all, {}),
  value: ofField((_field, { node }) => node.value),
  text: (_source, { value, nullable, kind }) => {
    if (value === undefined || (value === null && nullable)) return '';
    return isStructure(value) && kind !== 'json' && kind !== 'leaf' ? '' : labelOf(value);
  },
  editor: ({ state, node }) => rowEditor(state, node),
  required: ({ node }) => node.required,
  readOnly: ({ state, node }) => state.form.options.readOnly === true || isReadOnly(node),
  disabled: ({ node }, { when }) =>
    node.field.ui('disabled') === true || when.some(({ holds }) => holds === false),
  when: ofField((_field, { state, node }) => conditionsOf(state, node), []),
  must: ofField((_field, { node }) => mustsOf(node), []),
  nullable: ({ node }, { editor }) => isNullable(node, editor),
  isDefault: ({ state, node }, row) => {
    const isFilled = state.form.rules?.fills === true && node.kind === 'leaf' && row.filled;
    return isFilled && !row.changed && sameJson(row.value, row.defaultValue);
  },
  calculated: ofField((field) => field.ui('calculate') !== undefined, false),
  changed: ({ node: { kind, choice, value, loaded } }) => {
    if (!choice) return kind !== 'choice' && !sameJson(value, loaded);
    return choice.cases.some(({ members }) =>
      members.some((name) => !sameJson(childOf(value, name), childOf(loaded, name))),
    );
  },
  filled: ({ node }, row) => (node.kind === 'choice' ? row.filledBelow > 0 : node.value !== undefined),
  unknown: ({ node }) => node.unknown,
  removable: ({ node }, { isPossible }) => node.removable && !isPossible,
  isPossible: ({ node: { parent, value, key } }) => {
    if (value !== undefined || (parent?.kind !== 'list' && parent?.kind !== 'leaf-list')) return false;
    // The positions of a tuple are there before they have values.
    return Number(key) >= tupleLength(parent.field.parts);
  },
  errors: ofField((_field, { state, node }) => errorsAt(state, node.pointer), []),
  filledBelow: ({ node }) => membersOf(node).reduce((sum, { value }) => sum + filledLeaves(value), 0),
  errorsBelow: ({ state, node }) => {
    if (node.kind !== 'choice') return errorsBelow(state, node.pointer);
    const errorsIn = (pointer: string) => errorsBelow(state, pointer) + errorsAt(state, pointer).length;
    return membersOf(node).reduce((sum, { pointer }) => sum + errorsIn(pointer), 0);
  },
  alternatives: ({ state, node }) => alternativesOf(state, node),
  leftOut: ofField(
    (field, { node }) =>
      node.kind === 'list' ? [...field.leftOut, ...field.item(0).leftOut] : field.leftOut,
    [],
  ),
  list: ({ node }) => listFacts(node),
  addable: ({ node }) => addableMembers(node),
  bound: ofField((_field, { state, node }) => boundAt(state, node)),
};

/** Returns how a property is read from the field of a row; a choice has no field. */
function ofField<Value>(read: (field: Field, source: RowSource) => Value): Read<Value | undefined>;
function ofField<Value>(read: (field: Field, source: RowSource) => Value, ofChoice: Value): Read<Value>;
function ofField<Value>(
  read: (field: Field, source: RowSource) => Value,
  ofChoice?: Value,
): Read<Value | undefined> {
  return (source) => (source.node.kind === 'choice' ? ofChoice : read(source.node.field, source));
}

function isReadOnly({ field, parent, kind }: Node): boolean {
  const isDeclared =
    field.keyword('readOnly') === true ||
    field.ui('readonly') === true ||
    (kind !== 'choice' && field.ui('calculate') !== undefined) ||
    field.yang.all['config'] === false;
  return isDeclared || (parent !== undefined && isReadOnly(parent));
}

/** Returns what is in a row: for a choice, the members of its cases. */
function membersOf({ kind, choice, value, pointer }: Node): readonly {
  readonly pointer: string;
  readonly value: Json | undefined;
}[] {
  if (!choice) return kind === 'choice' ? [] : [{ pointer, value }];
  const names = choice.cases.flatMap(({ members }) => members);
  return names.map((name) => ({ pointer: `${pointer}/${name}`, value: childOf(value, name) }));
}

function addableMembers({ kind, field: { parts } }: Node): AddableMembers | undefined {
  if (kind !== 'container' && kind !== 'entry' && kind !== 'presence') return undefined;
  const patterns = namePatterns(parts).filter((pattern) => pattern !== '^@');
  const any = takesAnyName(parts);
  return any || patterns.length > 0 ? { any, patterns, names: suggestedNames(parts) } : undefined;
}

function truncated(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)} …` : text;
}

class FormRow {
  readonly #source: RowSource;

  constructor(source: RowSource) {
    this.#source = source;
  }

  static {
    for (const [name, read] of Object.entries<Read<unknown>>(PROPERTIES))
      Object.defineProperty(this.prototype, name, {
        get(this: FormRow & Row) {
          return read(this.#source, this);
        },
      });
  }
}

/** Returns a row whose properties are computed on access. */
export function rowFor(state: FormState, node: Node, at: RowPosition): Row {
  return new FormRow({ state, node, at }) as FormRow & Row;
}
