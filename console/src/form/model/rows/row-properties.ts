import { booleanOptions, editorOf } from '../field/editor.js';
import { textsOf } from '../field/keywords.js';
import { itemParts, tupleLength } from '../field/members.js';
import { labelOf } from '../field/options.js';
import { UNSUPPORTED } from '../field/schema-document.js';
import { scalarTypes } from '../field/type-label.js';
import type { YangRule } from '../field/yang.js';
import {
  childOf,
  isList,
  isMembers,
  isStructure,
  type Json,
  type JsonMembers,
  parentPointer,
} from '../json/json.js';
import { evaluateXpath, scalarsOf, trailTo, valuesOnPath } from '../paths/xpath.js';
import type { FormState } from '../state/form-state.js';
import type { Alternatives, BoundOptions, Condition, Editor, ListFacts, Option } from '../types.js';
import type { Node } from './node.js';

/** Members that usually identify entries without keys. */
const IDENTIFYING_MEMBERS = ['name', 'title', 'id', 'key'];

/** Returns the title of a row: for an entry its keys, as in `[eth0]`. */
export function rowTitle(node: Node): string {
  const { kind, key, field, value, parent, choice, unionTitle } = node;
  if (choice) return choice.name;
  if (unionTitle !== undefined) return unionTitle;
  const isItem = parent?.kind === 'list' || parent?.kind === 'leaf-list';
  if (!isItem) return field.title === '' ? key : field.title;
  const names = kind === 'entry' && isMembers(value) ? entryNames(parent, value) : [];
  return names.length > 0 ? `[${names.join(' ')}]` : field.title || `#${Number(key) + 1}`;
}

function entryNames({ field }: Node, value: JsonMembers): readonly string[] {
  const titleKeys = textsOf(field.ui('entryTitle'));
  const keys = titleKeys.length > 0 ? titleKeys : field.keys;
  const texts = (names: readonly string[]) =>
    names.flatMap((name) => {
      const member = childOf(value, name);
      return member === undefined || isStructure(member) ? [] : [labelOf(member)];
    });
  return keys.length > 0 ? texts(keys) : texts(IDENTIFYING_MEMBERS).slice(0, 1);
}

/** Returns the editor for the value of a row, with options from the data or other services. */
export function rowEditor(state: FormState, node: Node): Editor {
  const { kind, field } = node;
  if (kind === 'json') return { kind: 'json' };
  if (kind !== 'leaf' && kind !== 'leaf-list') return { kind: 'none' };
  const bound = boundAt(state, node);
  if (bound && kind === 'leaf') {
    const options = bound.state === 'ready' ? bound.options : [];
    return { kind: 'combobox', options, source: 'binding' };
  }
  if (kind === 'leaf' && field.yang.leafref !== undefined) {
    const options = leafrefValues(state, node, field.yang.leafref);
    return { kind: 'combobox', options, source: 'leafref' };
  }
  const editor = editorOf(field);
  // A box without a tick would say neither no nor nothing.
  if (editor.kind === 'checkbox' && node.required && field.keyword('default') === undefined)
    return { kind: 'select', options: booleanOptions(field), radio: true };
  return withLines(editor, node.value);
}

/** Returns true for a value that null may replace, in an editor without such an option. */
export function isNullable({ kind, field }: Node, editor: Editor): boolean {
  const types = kind === 'leaf' ? scalarTypes(field) : [];
  const hasOption = 'options' in editor && editor.options.some(({ value }) => value === null);
  return types.length > 1 && types.includes('null') && !hasOption;
}

/** Returns the options from another service: those of this entry of a list, or of the field in all entries. */
export function boundAt({ bound }: FormState, { pointer, field }: Node): BoundOptions | undefined {
  return bound.get(pointer) ?? bound.get(field.source.path);
}

/** Returns an editor of several lines for a text that has them. */
function withLines(editor: Editor, value: Json | undefined): Editor {
  const hasLines = typeof value === 'string' && value.includes('\n');
  return editor.kind === 'text' && !editor.secret && hasLines ? { ...editor, multiline: true } : editor;
}

/** Returns the distinct values that a leafref may have in the same document. */
function leafrefValues(state: FormState, node: Node, path: string): readonly Option[] {
  const values = valuesOnPath(path, trailTo(state.data, node.pointer)) ?? [];
  const options = new Map(
    scalarsOf(values).map((value) => [labelOf(value), { value, label: labelOf(value) }]),
  );
  return [...options.values()];
}

/** Returns the alternatives that a row offers; undefined if it has none. */
export function alternativesOf(state: FormState, node: Node): Alternatives | undefined {
  const { choice, variants, labels, chosen, id, required } = node;
  if (!choice && variants.length === 0) return undefined;
  const names = choice ? choice.cases.map(({ name }) => name) : labels;
  const stashed = [...(state.stashed.get(id)?.keys() ?? [])].filter((index) => index !== chosen);
  return { names, chosen, stashed, mandatory: required };
}

/** Returns the operations that a list allows on its entries; undefined unless the node is a list. */
export function listFacts({ kind, field, value }: Node): ListFacts | undefined {
  if (kind !== 'list' && kind !== 'leaf-list') return undefined;
  const length = isList(value) ? value.length : 0;
  const maximum = field.keyword('maxItems');
  const positions = tupleLength(field.parts);
  const rest = itemParts(field.source.document, field.parts, positions);
  const isClosed = positions > 0 && rest.every(({ schema }) => UNSUPPORTED in schema);
  const isFull = (typeof maximum === 'number' && length >= maximum) || (isClosed && length >= positions);
  return {
    length,
    canAdd: !isFull && length >= positions,
    maximum: isFull && typeof maximum === 'number' ? maximum : undefined,
    keys: field.keys,
    isTuple: positions > 0,
    // Without YANG, the order of an array is significant.
    orderedByUser: field.yang.orderedByUser || field.keys.length === 0,
  };
}

/** Returns the `when` conditions of a node with their results. */
export function conditionsOf(state: FormState, { field, pointer }: Node): readonly Condition[] {
  return field.yang.when.map((rule) => {
    const at = rule.fromParent ? parentPointer(pointer) : pointer;
    return { ...conditionOf(rule), holds: evaluateXpath(rule.xpath, trailTo(state.data, at)) };
  });
}

/** Returns the `must` conditions of a node. Their results stay undefined: only the device evaluates them. */
export function mustsOf({ field }: Node): readonly Condition[] {
  return field.yang.must.map((rule) => ({ ...conditionOf(rule), holds: undefined }));
}

function conditionOf({ xpath, message }: YangRule): { readonly xpath: string; readonly message?: string } {
  return message === undefined ? { xpath } : { xpath, message };
}
