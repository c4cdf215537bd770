import type { JsonObject } from '../../../../../src/json/json-object.js';
import { errorsAt, errorsBelow } from '../check/error-locations.js';
import { namePatterns, suggestedNames, takesAnyName, tupleLength } from '../field/members.js';
import { labelOf } from '../field/options.js';
import { typeLabel } from '../field/type-label.js';
import { uiText } from '../field/ui.js';
import { filledLeaves, isStructure, type Json, jsonFrom, sameJson } from '../json/json.js';
import { childOf } from '../json/locations.js';
import type { FormState } from '../state/form-state.js';
import type {
  AddableMembers,
  Alternatives,
  BoundOptions,
  Condition,
  Editor,
  ListFacts,
  Row,
  RowError,
  RowKind,
  RowState,
} from '../types.js';
import type { Node } from './node.js';
import {
  alternativesOf,
  conditionsOf,
  rowEditor,
  listFacts,
  isNullable,
  mustsOf,
  rowTitle,
  boundAt,
} from './row-properties.js';

/** Position of a row among the visible rows. */
export interface RowPosition {
  readonly open: boolean;
  readonly expandable: boolean;
  readonly position: number;
  readonly setSize: number;
  readonly hit: boolean;
}

/** A row that computes its properties on access, because only about thirty of thousands of rows are drawn. */
export class FormRow implements Row {
  readonly #state: FormState;
  readonly #node: Node;
  readonly #position: RowPosition;

  constructor(state: FormState, node: Node, position: RowPosition) {
    this.#state = state;
    this.#node = node;
    this.#position = position;
  }

  get id(): string {
    return this.#node.id;
  }

  get pointer(): string {
    return this.#node.pointer;
  }

  get parent(): string | undefined {
    const { parent } = this.#node;
    return parent && parent.level > 0 ? parent.id : undefined;
  }

  get kind(): RowKind {
    return this.#node.kind;
  }

  get level(): number {
    return this.#node.level;
  }

  get position(): number {
    return this.#position.position;
  }

  get setSize(): number {
    return this.#position.setSize;
  }

  get expandable(): boolean {
    return this.#position.expandable;
  }

  get open(): boolean {
    return this.#position.open;
  }

  get hit(): boolean {
    return this.#position.hit;
  }

  get key(): string {
    return this.#node.key;
  }

  get title(): string {
    return truncated(rowTitle(this.#node), 300);
  }

  get description(): string | undefined {
    const text = this.#isChoice ? undefined : this.#node.field.description;
    return text === undefined ? undefined : truncated(text, 10_000);
  }

  get help(): string | undefined {
    const text = this.#isChoice ? undefined : uiText(this.#node.field.source.ui, 'help');
    return text === undefined ? undefined : truncated(text, 10_000);
  }

  get placeholder(): string | undefined {
    return this.#isChoice ? undefined : uiText(this.#node.field.source.ui, 'placeholder');
  }

  get type(): string {
    if (this.#isChoice) return 'choice';
    return this.#node.kind === 'json' && this.#node.unknown ? 'unknown' : typeLabel(this.#node.field);
  }

  get units(): string | undefined {
    return this.#isChoice ? undefined : this.#node.field.yang.units;
  }

  get defaultValue(): Json | undefined {
    if (this.#isChoice) return undefined;
    const { field } = this.#node;
    const value = field.keyword('default');
    return this.#state.defaults.get(field.source.path) ?? (value === undefined ? undefined : jsonFrom(value));
  }

  get deprecated(): boolean {
    return !this.#isChoice && this.#node.field.keyword('deprecated') === true;
  }

  get yang(): JsonObject {
    return this.#isChoice ? {} : this.#node.field.yang.all;
  }

  get value(): Json | undefined {
    return this.#isChoice ? undefined : this.#node.value;
  }

  get text(): string {
    const { value } = this;
    if (value === null && this.nullable) return '';
    return value === undefined || (isStructure(value) && this.kind !== 'json' && this.kind !== 'leaf')
      ? ''
      : labelOf(value);
  }

  get editor(): Editor {
    return rowEditor(this.#state, this.#node);
  }

  get required(): boolean {
    return this.#node.required;
  }

  get readOnly(): boolean {
    const { field, parent } = this.#node;
    if (this.#state.form.options.readOnly === true) return true;
    const isDeclared =
      field.keyword('readOnly') === true ||
      field.ui('readonly') === true ||
      this.calculated ||
      field.yang.all['config'] === false;
    return isDeclared || (parent !== undefined && new FormRow(this.#state, parent, this.#position).readOnly);
  }

  get disabled(): boolean {
    return this.#node.field.ui('disabled') === true || this.when.some(({ holds }) => holds === false);
  }

  get when(): readonly Condition[] {
    return this.#isChoice ? [] : conditionsOf(this.#state, this.#node);
  }

  get must(): readonly Condition[] {
    return this.#isChoice ? [] : mustsOf(this.#node);
  }

  get state(): RowState {
    if (this.changed) return 'edited';
    return this.#node.value === undefined ? 'default' : 'loaded';
  }

  get nullable(): boolean {
    return isNullable(this.#node, this.editor);
  }

  get isDefault(): boolean {
    const { form } = this.#state;
    const isFilled = form.rules?.fills === true && this.#node.kind === 'leaf' && this.filled;
    return isFilled && !this.changed && sameJson(this.value, this.defaultValue);
  }

  get calculated(): boolean {
    return !this.#isChoice && this.#node.field.ui('calculate') !== undefined;
  }

  get changed(): boolean {
    const { value, loaded, choice } = this.#node;
    if (this.#isChoice && !choice) return false;
    if (!choice) return !sameJson(value, loaded);
    return choice.cases.some(({ members }) =>
      members.some((name) => !sameJson(childOf(value, name), childOf(loaded, name))),
    );
  }

  get filled(): boolean {
    return this.#isChoice ? this.filledBelow > 0 : this.#node.value !== undefined;
  }

  get unknown(): boolean {
    return this.#node.unknown;
  }

  get removable(): boolean {
    return this.#node.removable && !this.isPossible;
  }

  get isPossible(): boolean {
    const { parent, value, key } = this.#node;
    if (value !== undefined || (parent?.kind !== 'list' && parent?.kind !== 'leaf-list')) return false;
    // The positions of a tuple are there before they have values.
    return Number(key) >= tupleLength(parent.field.parts);
  }

  get errors(): readonly RowError[] {
    return this.#isChoice ? [] : errorsAt(this.#state, this.#node.pointer);
  }

  get filledBelow(): number {
    return this.#members.reduce((sum, { value }) => sum + filledLeaves(value), 0);
  }

  get errorsBelow(): number {
    if (!this.#isChoice) return errorsBelow(this.#state, this.#node.pointer);
    return this.#members.reduce(
      (sum, { pointer }) => sum + errorsBelow(this.#state, pointer) + errorsAt(this.#state, pointer).length,
      0,
    );
  }

  get alternatives(): Alternatives | undefined {
    return alternativesOf(this.#state, this.#node);
  }

  get leftOut(): readonly string[] {
    const { kind, field } = this.#node;
    if (this.#isChoice) return [];
    return kind === 'list' ? [...field.leftOut, ...field.item(0).leftOut] : field.leftOut;
  }

  get list(): ListFacts | undefined {
    return listFacts(this.#node);
  }

  get addable(): AddableMembers | undefined {
    const { kind, field } = this.#node;
    if (kind !== 'container' && kind !== 'entry' && kind !== 'presence') return undefined;
    const patterns = namePatterns(field.parts).filter((pattern) => pattern !== '^@');
    const any = takesAnyName(field.parts);
    return any || patterns.length > 0 ? { any, patterns, names: suggestedNames(field.parts) } : undefined;
  }

  get bound(): BoundOptions | undefined {
    return this.#isChoice ? undefined : boundAt(this.#state, this.#node);
  }

  get #isChoice(): boolean {
    return this.#node.kind === 'choice';
  }

  /** The descendants of this row: for a choice, the members of its cases. */
  get #members(): readonly { readonly pointer: string; readonly value: Json | undefined }[] {
    const { choice, value, pointer } = this.#node;
    if (!choice) return this.#isChoice ? [] : [{ pointer, value }];
    const names = choice.cases.flatMap(({ members }) => members);
    return names.map((name) => ({ pointer: `${pointer}/${name}`, value: childOf(value, name) }));
  }
}

/** Returns the start of a text. Schemas are untrusted, so their texts may have any length. */
function truncated(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)} …` : text;
}
