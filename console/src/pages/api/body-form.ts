import { valueAt } from '../../../../src/json/pointer.js';
import {
  documentText,
  type FormState,
  openForm,
  readJson,
  rowsOf,
  schemaFaults,
} from '../../form/model/index.js';
import { prettyJson } from '../../kit/json-text.js';
import { textOf } from '../../text/text.js';
import type { Schema } from './operation.js';
import { resolveReference, type Schemas } from './schema-example.js';

const text = textOf('api');

/** A body as a form, or the reason why there is no form. */
export type BodyForm = { readonly form: FormState } | { readonly lack: string };

/** Returns the schema of a body with all schemas that it refers to, as a separate document. */
export function bundledSchema(body: Schema, schemas: Schemas): Schema {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const name = componentNameIn(value);
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      visit(schemas[name]);
    }
    Object.values(value).forEach(visit);
  };
  visit(body);
  const used = Object.fromEntries([...names].map((name) => [name, schemas[name] ?? {}]));
  return { ...resolveReference(body, schemas), components: { schemas: used } };
}

function componentNameIn(value: object): string | undefined {
  const reference: unknown = '$ref' in value ? value.$ref : undefined;
  return typeof reference === 'string' ? /^#\/components\/schemas\/(.+)$/.exec(reference)?.[1] : undefined;
}

/** Opens a body as a form. A schema that does not describe the members of a body has no form. */
export function openBodyForm(schema: Schema, json: string, uiSchema: object = {}): BodyForm {
  try {
    const form = openForm({
      schema: withoutUnsupportedPatterns(schema),
      uiSchema,
      ...(json.trim() !== '' && { data: readJson(json) }),
    });
    const [fault] = schemaFaults(form);
    if (fault) return { lack: text('schemaFault', { pointer: fault.pointer, message: fault.message }) };
    return hasFields(form) ? { form } : { lack: text('noFields') };
  } catch (error) {
    return { lack: error instanceof Error ? error.message : String(error) };
  }
}

function hasFields(form: FormState): boolean {
  const [first] = rowsOf(form).rows;
  return first !== undefined && !(first.id === '' && first.kind === 'json');
}

/**
 * Returns a schema without the patterns that the form does not support, such as look-around; the server
 * checks them.
 */
function withoutUnsupportedPatterns(schema: Schema): Schema {
  const faults = schemaFaults(openForm({ schema })).filter(({ pointer }) => pointer.endsWith('/pattern'));
  if (faults.length === 0) return schema;
  const unsupported = new Set(faults.map(({ pointer }) => valueAt(schema, pointer)));
  const text = JSON.stringify(schema, (name, value: unknown) =>
    name === 'pattern' && unsupported.has(value) ? undefined : value,
  );
  return JSON.parse(text) as Schema;
}

/** Returns the body in a form as readable text: numbers keep their digits, members their order. */
export function bodyText(form: FormState): string {
  return prettyJson(documentText(form));
}
