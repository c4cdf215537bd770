import { fillPath, queriedAdapter } from '../../../src/form-model/form-binding.js';
import { isListedValue } from '../../../src/form-model/listed-values.js';
import { isJsonObject } from '../../../src/json/json-object.js';
import { request } from '../api/request.js';
import { type DependedValues, type FormBinding, type Json, readJson } from './model/index.js';
import { formText as text } from './view/form-text.js';

/**
 * Sends the query that a field is bound to (wire 4.1), with the permissions of the current user and the values of the
 * fields on which it depends, which `schema` describes. Throws an Error if the query is not allowed, or an ApiProblem. Form documents are
 * untrusted: they may only send queries through adapters.
 */
export async function resolveBinding(
  binding: FormBinding,
  values: DependedValues,
  schema: unknown,
): Promise<Json> {
  const { method, href, variables } = binding;
  const path = new URL(href, window.location.origin).pathname;
  if (queriedAdapter(binding) === undefined || path !== href)
    throw new Error(text('bindingNotAllowed', { method, href }));
  return readJson(
    (await request({ method: 'POST', path, body: filled({ variables, schema }, values) })).text,
  );
}

/** Returns the body of a query with the values in its path. */
function filled(
  { variables, schema }: { readonly variables: unknown; readonly schema: unknown },
  values: DependedValues,
): unknown {
  const params = isJsonObject(variables) ? variables['params'] : undefined;
  if (!isJsonObject(variables) || !isJsonObject(params) || typeof params['path'] !== 'string')
    return variables;
  const result = fillPath(params['path'], values, (pointer, value) => isListedValue(schema, pointer, value));
  if ('path' in result) return { ...variables, params: { ...params, path: result.path } };
  throw new Error(
    'pointer' in result ? text('valueNotInQuery', { path: result.pointer }) : text('pathNotUsable'),
  );
}
