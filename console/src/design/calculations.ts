import { isJsonObject } from '../../../src/json/json-object.js';
import { pointerTokens } from '../../../src/json/pointer.js';
import { uiKey } from '../form/model/index.js';
import type { FormDraft } from './draft.js';
import { nameIn, type Path } from './expressions.js';
import { setUi } from './field-edits.js';
import { uiPointerOf } from './field-location.js';
import { objectAt, withMember, withoutEmpty } from './json-edit.js';
import { isSingleValue, type ValueField, valueFields, valuePathOf } from './placeholders.js';

interface Operation {
  /** Name in JSON Logic. */
  readonly name: string;
  /** Number of operands; any number if undefined. */
  readonly count?: number;
  /** A number or text that can be an operand, to start from. */
  readonly constant?: number | string;
}

/** The operations that the designer edits by a choice of fields. */
const OPERATIONS = {
  sum: { name: '+', constant: 0 },
  difference: { name: '-', constant: 0 },
  product: { name: '*', constant: 0 },
  quotient: { name: '/', constant: 0, count: 2 },
  text: { name: 'cat', constant: ' ' },
  count: { name: 'count', count: 1 },
  total: { name: '+', count: 1 },
} as const satisfies Readonly<Record<string, Operation>>;

/** `count` is the number of entries of a list, `total` the sum of a member over a list. */
type CalculationKind = keyof typeof OPERATIONS;

const KINDS = Object.keys(OPERATIONS) as readonly CalculationKind[];

export function operationOf(kind: CalculationKind): Operation {
  return OPERATIONS[kind];
}

/** An operation on operands: fields, as `{"var": ...}` or a `map` over a list, numbers and texts. */
export interface SimpleCalculation {
  readonly kind: CalculationKind;
  readonly operands: readonly unknown[];
}

/** Returns an expression as an operation on operands; undefined for every other expression. */
export function calculationOf(expression: unknown): SimpleCalculation | undefined {
  if (!isJsonObject(expression)) return undefined;
  const [name, ...others] = Object.keys(expression);
  if (name === undefined || others.length > 0) return undefined;
  const written = expression[name];
  const operands: readonly unknown[] = Array.isArray(written) ? written : [written];
  const kind = KINDS.find((one) => operationOf(one).name === name && fitsOperands(one, operands));
  return kind && { kind, operands };
}

function fitsOperands(kind: CalculationKind, operands: readonly unknown[]): boolean {
  const { count = Math.max(operands.length, 1), constant } = operationOf(kind);
  const fits = (operand: unknown) =>
    kind === 'total'
      ? isMemberOfList(operand)
      : isName(operand) || (constant !== undefined && typeof operand === typeof constant);
  return operands.length === count && operands.every(fits);
}

function isName(operand: unknown): boolean {
  return isJsonObject(operand) && Object.keys(operand).join() === 'var' && typeof operand['var'] === 'string';
}

function isMemberOfList(operand: unknown): boolean {
  if (!isJsonObject(operand) || Object.keys(operand).join() !== 'map') return false;
  const { map } = operand;
  return Array.isArray(map) && map.length === 2 && map.every(isName);
}

export function expressionOf({ kind, operands }: SimpleCalculation): unknown {
  return { [operationOf(kind).name]: operands };
}

/** A field as an operand, with the words that name it. */
interface FieldOperand {
  readonly operand: unknown;
  readonly title: string;
  readonly name: string;
}

/** Returns the fields that an operation of a field can have as operands. */
export function fieldOperands(
  draft: FormDraft,
  pointer: string,
  kind: CalculationKind,
): readonly FieldOperand[] {
  const own = valuePathOf(pointer) ?? '';
  const around = pointerTokens(own).slice(0, -1);
  return valueFields(draft)
    .filter((field) => field.path !== own && hasTypeFor(kind, field))
    .flatMap((field) => {
      const path = pointerTokens(field.path);
      const { title } = field;
      if (kind === 'total') return memberOperand(path, around, title);
      const name = nameIn(path, around);
      return name === undefined ? [] : [{ operand: { var: name }, title, name }];
    });
}

function hasTypeFor(kind: CalculationKind, field: ValueField): boolean {
  const { type } = field.schema;
  if (kind === 'count') return type === 'array';
  return kind === 'text' ? isSingleValue(field) : type === 'integer' || type === 'number';
}

function memberOperand(path: Path, around: Path, title: string): readonly FieldOperand[] {
  const entry = path.lastIndexOf('*');
  const list = entry < 0 ? undefined : nameIn(path.slice(0, entry), around);
  const member = nameIn(path, path.slice(0, entry + 1));
  if (list === undefined || member === undefined) return [];
  return [{ operand: { map: [{ var: list }, { var: member }] }, title, name: `${list}[].${member}` }];
}

/** How a field gets its value: from a person, by an operation, or by any other expression. */
export type CalculationChoice = 'none' | CalculationKind | 'json';

/** Returns how a field can get its value, by its type and the fields of the form; nothing if it holds other fields. */
export function calculationChoices(draft: FormDraft, pointer: string): readonly CalculationChoice[] {
  const { type } = objectAt(draft.schema, pointer);
  const expression = expressionAt(draft, pointer);
  const isNumber = type === 'integer' || type === 'number';
  if (expression === undefined && !isNumber && type !== 'string' && type !== 'boolean') return [];
  const current = calculationOf(expression)?.kind;
  const kinds = KINDS.filter((kind) => {
    const { constant } = operationOf(kind);
    if (kind === current) return true;
    if (kind === 'text') return type === 'string';
    return isNumber && (constant === 0 || fieldOperands(draft, pointer, kind).length > 0);
  });
  return ['none', ...kinds, 'json'];
}

/** Changes how a field gets its value. Operands stay if both operations calculate with numbers. */
export function chooseCalculation(draft: FormDraft, pointer: string, choice: CalculationChoice): FormDraft {
  const expression = expressionAt(draft, pointer);
  if (choice === 'none') return setExpression(draft, pointer, undefined);
  if (choice !== 'json') {
    const previous = calculationOf(expression);
    return setExpression(draft, pointer, expressionOf(startOf(draft, pointer, { kind: choice, previous })));
  }
  if (expression !== undefined) return draft;
  return setExpression(draft, pointer, fieldOperands(draft, pointer, 'text')[0]?.operand ?? 0);
}

function startOf(
  draft: FormDraft,
  pointer: string,
  { kind, previous }: { readonly kind: CalculationKind; readonly previous: SimpleCalculation | undefined },
): SimpleCalculation {
  const { constant, count } = operationOf(kind);
  const isSimilar = previous && constant === 0 && operationOf(previous.kind).constant === 0;
  const kept = isSimilar ? previous.operands : undefined;
  const fields = fieldOperands(draft, pointer, kind).map(({ operand }) => operand);
  const length = count ?? kept?.length ?? 2;
  return { kind, operands: Array.from({ length }, (_, at) => (kept ?? fields)[at] ?? constant) };
}

/** Returns the expression of a field; undefined for a field that a person fills in. */
export function expressionAt({ uiSchema }: FormDraft, pointer: string): unknown {
  const ui = uiPointerOf(pointer);
  return ui === undefined ? undefined : uiKey(objectAt(uiSchema, ui), 'calculate');
}

/** Sets the expression of a field; `undefined` removes it. */
export function setExpression(draft: FormDraft, pointer: string, expression: unknown): FormDraft {
  const options = `${uiPointerOf(pointer) ?? ''}/ui:options`;
  const uiSchema = withoutEmpty(withMember(draft.uiSchema, `${options}/calculate`, undefined), options);
  return setUi({ ...draft, uiSchema }, pointer, { keyword: 'ui:calculate', value: expression });
}
