import type { Call } from '../../core/operation.js';
import { callerName, type Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { jsonText } from '../../json/write-json.js';
import type { JsonFormsDeps } from './deps.js';
import type { Form } from './form-store.js';

/** Fields that callers set, besides the name. */
type ClientField = 'description' | 'struct' | 'schema' | 'uiSchema' | 'bindingSchema' | 'validationSchema';

/** A form as a caller sends it. Fields that the server sets are allowed, but ignored. */
export type FormFields = { readonly name?: string } & Partial<
  Readonly<Record<ClientField, object | string | null>>
>;

/** Version of the form format, the same in all recorded forms (wire 4.1). */
const FORMAT_VERSION = '2020.1';

const EMPTY_FIELDS = {
  name: '',
  description: '',
  struct: {},
  schema: {},
  uiSchema: {},
  bindingSchema: {},
  validationSchema: {},
} as const;

type FormContext = Pick<JsonFormsDeps, 'now' | 'newFormId' | 'formLimits' | 'grants'>;

/** Creates a new form of a caller. Throws `body_too_large`. */
export function newForm(fields: FormFields, { principal }: Call, context: FormContext): Form {
  const created = new Date(context.now()).toISOString();
  const { by: createdBy, issuer, name } = authorOf(principal);
  const clientFields = { ...EMPTY_FIELDS, ...clientFieldsOf(fields) };
  const form = {
    id: context.newFormId(),
    ...clientFields,
    created,
    createdBy,
    lastUpdated: created,
    lastUpdatedBy: createdBy,
    version: FORMAT_VERSION,
    createdByIssuer: issuer,
    createdByName: name,
    lastUpdatedByIssuer: issuer,
    lastUpdatedByName: name,
    bindingGrant: hasBindings(clientFields) ? context.grants.grantOf(principal) : null,
  };
  return withinLimit(form, formLimitOf(context));
}

/** The caller of an update; `grantsBindings`: the caller grants the queries of the bindings as they are. */
interface FormEditor extends Pick<Call, 'principal'> {
  readonly grantsBindings?: boolean;
}

/** Returns a form with some fields replaced. Throws `body_too_large`. */
export function changedForm(
  previous: Form,
  fields: FormFields,
  { principal, grantsBindings = false, ...context }: FormEditor & FormContext,
): Form {
  const lastUpdated = new Date(context.now()).toISOString();
  const { by: lastUpdatedBy, issuer: lastUpdatedByIssuer, name: lastUpdatedByName } = authorOf(principal);
  const changed = { lastUpdated, lastUpdatedBy, lastUpdatedByIssuer, lastUpdatedByName };
  const form = { ...previous, ...clientFieldsOf(fields), ...changed };
  const isOwnGrant = grantsBindings || changesQueries(previous, form);
  const grant = isOwnGrant ? context.grants.grantOf(principal) : (previous.bindingGrant ?? null);
  return withinLimit({ ...form, bindingGrant: hasBindings(form) ? grant : null }, formLimitOf(context));
}

function hasBindings({ bindingSchema }: Pick<Form, 'bindingSchema'>): boolean {
  return Object.keys(bindingSchema).length > 0;
}

/**
 * Returns true if an update may change which queries the form sends, so that the grant of an earlier author ends. A
 * new schema alone grants nothing that was not granted before: somebody else may have written the bindings.
 */
function changesQueries(previous: Form, next: Form): boolean {
  const isChanged = (name: 'schema' | 'bindingSchema'): boolean =>
    jsonText(previous[name]) !== jsonText(next[name]);
  return isChanged('bindingSchema') || (Boolean(previous.bindingGrant) && isChanged('schema'));
}

/** Identity and name of the author of a change; empty for a caller without a token. */
function authorOf(principal: Principal | undefined): {
  readonly by: string;
  readonly issuer: string;
  readonly name: string;
} {
  if (!principal) return { by: '', issuer: '', name: '' };
  return { by: principal.subject, issuer: principal.issuer, name: callerName(principal) };
}

/** Returns the fields that callers set; an object that is null becomes an empty object. */
function clientFieldsOf(fields: FormFields): Partial<Form> {
  const names = Object.keys(EMPTY_FIELDS) as (keyof typeof EMPTY_FIELDS)[];
  const sentNames = names.filter((name) => Object.hasOwn(fields, name));
  return Object.fromEntries(
    sentNames.map((name) => [
      name,
      name === 'description' ? fields[name] : (fields[name] ?? EMPTY_FIELDS[name]),
    ]),
  );
}

function formLimitOf({ formLimits }: FormContext) {
  return { maxBytes: formLimits().maxBytes, what: 'form' } as const;
}

/**
 * Returns the document unchanged. Throws `body_too_large` if its JSON exceeds the limit; the detail names the
 * document.
 */
export function withinLimit<T extends object>(
  document: T,
  { maxBytes, what }: { readonly maxBytes: number; readonly what: 'form' | 'task' },
): T {
  if (Buffer.byteLength(jsonText(document)) <= maxBytes) return document;
  throw new Problem('body_too_large', `The ${what} is larger than ${maxBytes} bytes (forms.maxBytes).`);
}
