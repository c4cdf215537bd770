import { isJsonObject, type JsonObject } from '../../../src/json/json-object.js';
import type { FormDraft } from './draft.js';
import { uiPointerOf } from './field-location.js';
import { objectAt, textOr, withMember, withoutEmpty } from './json-edit.js';

/** A choice of a field, as text for editing. */
export interface FixedChoice {
  readonly value: string;
  /** Empty if the value is the label. */
  readonly label: string;
}

/**
 * Returns the choices that the schema of a field lists: `oneOf` with constants and titles, or `enum` with the labels
 * of `ui:enumNames` or `enumNames`. Undefined if `oneOf` has other alternatives, which the designer does not edit.
 */
export function fixedChoicesOf(draft: FormDraft, pointer: string): readonly FixedChoice[] | undefined {
  const schema = objectAt(draft.schema, pointer);
  const { oneOf, enum: values } = schema;
  if (oneOf !== undefined) {
    if (!isConstantList(oneOf)) return undefined;
    return oneOf.map((one) => ({ value: choiceText(one['const']), label: textOr(one['title']) }));
  }
  if (!Array.isArray(values)) return [];
  const ui = uiPointerOf(pointer);
  const own = ui === undefined ? undefined : objectAt(draft.uiSchema, ui)['ui:enumNames'];
  const names: unknown = own ?? schema['enumNames'];
  return values.map((value: unknown, at) => {
    const name: unknown = Array.isArray(names) ? names[at] : undefined;
    const text = choiceText(value);
    return { value: text, label: textOr(name) === text ? '' : textOr(name) };
  });
}

/**
 * Sets the choices of a field: `oneOf` with constants and titles if a choice has a label, else `enum`. A value that
 * is listed twice counts once, because `oneOf` refuses a value that two alternatives accept.
 */
export function setFixedChoices(
  draft: FormDraft,
  pointer: string,
  choices: readonly FixedChoice[],
): FormDraft {
  const { oneOf, type, ...schema } = objectAt(draft.schema, pointer);
  const known = isConstantList(oneOf) ? oneOf : [];
  const byValue = new Map<unknown, FixedChoice>();
  for (const choice of choices) {
    const value = typedChoice(choice.value, type);
    if (choice.value.trim() !== '' && !byValue.has(value)) byValue.set(value, choice);
  }
  const listed = [...byValue];
  const isLabeled = listed.some(([, { label }]) => label.trim() !== '');
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keyword !== 'enum' && keyword !== 'enumNames'),
  );
  const list = isLabeled
    ? {
        oneOf: listed.map(([value, { label }]) => {
          const previous = known.find((one) => one['const'] === value) ?? { const: value };
          return withMember(previous, '/title', label.trim() === '' ? undefined : label);
        }),
      }
    : listed.length > 0
      ? { enum: listed.map(([value]) => value) }
      : {};
  const field = { ...(type !== undefined && { type }), ...rest, ...list };
  const next = { ...draft, schema: withMember(draft.schema, pointer, field) };
  const ui = uiPointerOf(pointer);
  if (ui === undefined) return next;
  const uiSchema = withMember(draft.uiSchema, `${ui}/ui:enumNames`, undefined);
  return { ...next, uiSchema: withoutEmpty(uiSchema, ui) };
}

export function isConstantList(oneOf: unknown): oneOf is readonly JsonObject[] {
  return (
    Array.isArray(oneOf) &&
    oneOf.every((one: unknown) => isJsonObject(one) && Object.hasOwn(one, 'const') && !('properties' in one))
  );
}

/** Returns the value of a choice as a field of this type stores it. */
export function typedChoice(text: string, type: unknown): unknown {
  const isNumber = type === 'integer' || type === 'number';
  const trimmed = text.trim();
  return isNumber && trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

function choiceText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
