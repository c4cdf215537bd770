import { jsonFault } from '../../kit/json-fault.js';
import type { ApiOperation, Parameter } from './operation.js';

/** Values of parameters, by `in` and name: `path.id`. */
export type Values = Readonly<Record<string, string>>;

/** Under which a value of a parameter stands. */
export function keyOf({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${place}.${name}`;
}

/** Parameters that must have a value and have none. */
export function missingOf(
  { parameters }: Pick<ApiOperation, 'parameters'>,
  values: Values,
): readonly string[] {
  return parameters
    .filter((one) => (one.required ?? false) && (values[keyOf(one)] ?? '') === '')
    .map(({ name }) => name);
}

/** Path and query of a call; a parameter of the path that has no value stays as `{name}`. */
export function targetOf(
  { path, parameters }: Pick<ApiOperation, 'path' | 'parameters'>,
  values: Values,
): string {
  const filled = parameters
    .filter((one) => one.in === 'path' && (values[keyOf(one)] ?? '') !== '')
    .reduce((text, one) => text.replace(`{${one.name}}`, () => encoded(one, values[keyOf(one)] ?? '')), path);
  const query = parameters
    .filter((one) => one.in === 'query' && (values[keyOf(one)] ?? '') !== '')
    .map((one): [string, string] => [one.name, values[keyOf(one)] ?? '']);
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

function encoded(parameter: Parameter, value: string): string {
  if (parameter['x-rest'] === true) return value.split('/').map(encodeURIComponent).join('/');
  return encodeURIComponent(value);
}

/** A call as far as it is written: where it goes, and what keeps it from being sent. */
export interface CallDraft {
  readonly path: string;
  /** Names of parameters that have no value yet. */
  readonly missing: readonly string[];
  /** Why the body is no JSON. */
  readonly fault: string | undefined;
}

/** Reads the fields of a call; `body` is undefined where none is taken. */
export function draftOf(operation: ApiOperation, values: Values, body: string | undefined): CallDraft {
  return {
    path: targetOf(operation, values),
    missing: missingOf(operation, values),
    fault: body === undefined || body.trim() === '' ? undefined : jsonFault(body)?.message,
  };
}
