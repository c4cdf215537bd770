import { jsonFault } from '../../kit/json-text.js';
import type { ApiOperation, Parameter } from './operation.js';

/** Parameter values by `in` and name: `path.id`. */
export type ParameterValues = Readonly<Record<string, string>>;

/** Returns the key of a parameter's value. */
export function parameterKey({ in: location, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${location}.${name}`;
}

/** Returns the required parameters without a value. */
function missingOf(
  { parameters }: Pick<ApiOperation, 'parameters'>,
  values: ParameterValues,
): readonly string[] {
  return parameters
    .filter((one) => (one.required ?? false) && (values[parameterKey(one)] ?? '') === '')
    .map(({ name }) => name);
}

/** Returns path and query of a call; a path parameter without a value stays as `{name}`. */
export function targetOf(
  { path, parameters }: Pick<ApiOperation, 'path' | 'parameters'>,
  values: ParameterValues,
): string {
  const filled = parameters
    .filter((one) => one.in === 'path' && (values[parameterKey(one)] ?? '') !== '')
    .reduce(
      (text, one) => text.replace(`{${one.name}}`, () => encoded(one, values[parameterKey(one)] ?? '')),
      path,
    );
  const query = parameters
    .filter((one) => one.in === 'query' && (values[parameterKey(one)] ?? '') !== '')
    .map((one): [string, string] => [one.name, values[parameterKey(one)] ?? '']);
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

function encoded(parameter: Parameter, value: string): string {
  if (parameter['x-rest'] === true) return value.split('/').map(encodeURIComponent).join('/');
  return encodeURIComponent(value);
}

/** A call that is being edited: its target, and what is missing or invalid. */
interface CallDraft {
  readonly path: string;
  /** Names of required parameters without a value. */
  readonly missing: readonly string[];
  /** Why the body is not valid JSON. */
  readonly fault: string | undefined;
}

/** Reads the fields of a call; `body` is undefined for an operation without a body. */
export function draftOf(
  operation: ApiOperation,
  values: ParameterValues,
  body: string | undefined,
): CallDraft {
  return {
    path: targetOf(operation, values),
    missing: missingOf(operation, values),
    fault: body === undefined || body.trim() === '' ? undefined : jsonFault(body)?.message,
  };
}
