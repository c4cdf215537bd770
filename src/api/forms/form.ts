import type { Form } from '../../core/form.js';
import type { Call } from '../../core/operation.js';
import type { JsonFormsDeps } from './deps.js';
import { withinLimit } from './within-limit.js';

/** Fields that callers own. */
type OwnField = 'description' | 'struct' | 'schema' | 'uiSchema' | 'bindingSchema' | 'validationSchema';

/** A form as a caller sends it; fields that the server owns are allowed, but ignored. */
export type FormFields = { readonly name?: string } & Partial<
  Readonly<Record<OwnField, object | string | null>>
>;

/** Version of the form format, which is the same in all recorded forms (wire 4.1). */
const FORMAT_VERSION = '2020.1';

const EMPTY = {
  name: '',
  description: '',
  struct: {},
  schema: {},
  uiSchema: {},
  bindingSchema: {},
  validationSchema: {},
} as const;

type Context = Pick<JsonFormsDeps, 'now' | 'newFormId' | 'formLimits'>;

/** Creates a new form of a caller. Throws `body_too_large`. */
export function newForm(fields: FormFields, { principal }: Pick<Call, 'principal'>, context: Context): Form {
  const created = new Date(context.now()).toISOString();
  const createdBy = principal?.subject ?? '';
  const form = {
    id: context.newFormId(),
    ...EMPTY,
    ...ownFields(fields),
    created,
    createdBy,
    lastUpdated: created,
    lastUpdatedBy: createdBy,
    version: FORMAT_VERSION,
  };
  return withinLimit(form, limitOf(context));
}

/** Returns a form with some fields replaced. Throws `body_too_large`. */
export function changedForm(
  previous: Form,
  fields: FormFields,
  { principal, ...context }: Pick<Call, 'principal'> & Context,
): Form {
  const lastUpdated = new Date(context.now()).toISOString();
  const lastUpdatedBy = principal?.subject ?? '';
  const form = { ...previous, ...ownFields(fields), lastUpdated, lastUpdatedBy };
  return withinLimit(form, limitOf(context));
}

/** Returns the fields that callers own; an object that is null becomes an empty object. */
function ownFields(fields: FormFields): Partial<Form> {
  const names = Object.keys(EMPTY) as (keyof typeof EMPTY)[];
  const given = names.filter((name) => Object.hasOwn(fields, name));
  return Object.fromEntries(
    given.map((name) => [name, name === 'description' ? fields[name] : (fields[name] ?? EMPTY[name])]),
  );
}

function limitOf({ formLimits }: Context) {
  return { maxBytes: formLimits().maxBytes, what: 'form' } as const;
}
