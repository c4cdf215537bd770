import { type JsonObject, objectOf } from '../../../src/json/json-object.js';

/** The documents of a form (wire 4.1) that the designer edits. */
export const PARTS = ['schema', 'uiSchema', 'bindingSchema', 'validationSchema'] as const;

/** Name of one of these documents. */
export type DraftPart = (typeof PARTS)[number];

/** A form that is being designed. Immutable. */
export interface FormDraft {
  readonly name: string;
  readonly description: string;
  /** The structure that the platform's designer saved. It is kept unchanged. */
  readonly struct: JsonObject;
  readonly schema: JsonObject;
  readonly uiSchema: JsonObject;
  readonly bindingSchema: JsonObject;
  readonly validationSchema: JsonObject | readonly unknown[];
}

/** A form as the server returns it. */
export interface StoredForm {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
  readonly struct?: unknown;
  readonly schema?: unknown;
  readonly uiSchema?: unknown;
  readonly bindingSchema?: unknown;
  readonly validationSchema?: unknown;
  readonly created: string;
  readonly createdBy?: string;
  readonly lastUpdated?: string;
  readonly lastUpdatedBy?: string;
  readonly lastUpdatedByIssuer?: string;
  /** Name of `lastUpdatedBy` for people; absent in forms of earlier versions. */
  readonly lastUpdatedByName?: string;
  /** True if the schema and the uiSchema have only a part of their objects. */
  readonly partial?: boolean;
  /** Size of the whole form in bytes; only with `partial`. */
  readonly bytes?: number;
}

/** Returns the name of the user who saved a form last; empty if it is not known. */
export function lastEditorOf({ lastUpdatedBy = '', lastUpdatedByName = '' }: Partial<StoredForm>): string {
  return lastUpdatedByName === '' ? lastUpdatedBy : lastUpdatedByName;
}

/** A form without a field. */
export const EMPTY_DRAFT: FormDraft = {
  name: '',
  description: '',
  struct: {},
  schema: { type: 'object', properties: {} },
  uiSchema: {},
  bindingSchema: {},
  validationSchema: {},
};

export function draftOf(form: Partial<StoredForm>): FormDraft {
  const { validationSchema } = form;
  return {
    name: form.name ?? '',
    description: form.description ?? '',
    struct: objectOf(form.struct),
    schema: objectOf(form.schema),
    uiSchema: objectOf(form.uiSchema),
    bindingSchema: objectOf(form.bindingSchema),
    validationSchema: Array.isArray(validationSchema)
      ? (validationSchema as readonly unknown[])
      : objectOf(validationSchema),
  };
}

/** Returns the members in which two states differ, with the newer values: the body of an update. */
export function changedMembers(previous: FormDraft, now: FormDraft): Partial<FormDraft> {
  const names = Object.keys(now) as (keyof FormDraft)[];
  const differing = names.filter((name) => JSON.stringify(previous[name]) !== JSON.stringify(now[name]));
  return Object.fromEntries(differing.map((name) => [name, now[name]]));
}

/**
 * Returns the integers in a JSON text that JavaScript cannot represent exactly. Saving the form would change
 * them.
 */
export function digitsLost(text: string): readonly string[] {
  const withoutStrings = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const numbers = withoutStrings.match(/-?\d[\d.eE+-]{15,}/g) ?? [];
  return [
    ...new Set(numbers.filter((number) => /^-?\d+$/.test(number) && String(Number(number)) !== number)),
  ];
}
