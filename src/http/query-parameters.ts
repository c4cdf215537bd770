import { Problem, type RequestError } from '../core/problem.js';
import { pointerTo } from '../json/pointer.js';
import { sentence } from '../lib/sentence.js';

/**
 * Returns the text of a query parameter. An empty parameter counts as absent, because programs may send
 * templates with empty values.
 */
export function parameterOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  return text === null || text === '' ? undefined : text;
}

/** Returns the error of one query parameter; `expected` follows its name, for example `must be 1 or -1`. */
export function parameterError(name: string, expected: string): RequestError {
  return { pointer: pointerTo('/query', name), message: `parameter ${name} ${expected}` };
}

/** Creates the Problem of an invalid query. Its detail contains the first error. */
export function queryProblem(errors: readonly [RequestError, ...RequestError[]]): Problem {
  return new Problem('invalid_request', sentence(`The query ${errors[0].message}`), { errors });
}

/** Name, default and bounds of a query parameter that is a whole number. */
export interface NumberParameter {
  readonly name: string;
  readonly preset: number;
  readonly min: number;
  readonly max: number;
}

/** Parses a query parameter that is a whole number. Throws `invalid_request`, also for a number out of bounds. */
export function numberParameterOf(
  query: URLSearchParams,
  { name, preset, min, max }: NumberParameter,
): number {
  const text = parameterOf(query, name);
  if (text === undefined) return preset;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw queryProblem([parameterError(name, `must be a whole number from ${min} to ${max}`)]);
}

/** Parses a query parameter with these values. Throws `invalid_request` for any other value. */
export function choiceParameterOf<Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = parameterOf(query, name);
  const found = values.find((value) => value === text);
  if (found !== undefined || text === undefined) return found;
  throw queryProblem([parameterError(name, `must be ${wordsOf(values)}`)]);
}

function wordsOf(values: readonly string[]): string {
  return values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`;
}

/** Parses a query parameter that is `true` or `false`; false if it is absent. Throws `invalid_request`. */
export function flagParameterOf(query: URLSearchParams, name: string): boolean {
  return choiceParameterOf(query, name, FLAG_VALUES) === 'true';
}

/** Values of a flag. */
export const FLAG_VALUES = ['true', 'false'] as const;

const RFC_3339 = /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Parses a query parameter that is a time, in milliseconds since 1970. Throws `invalid_request`. */
export function timeParameterOf(query: URLSearchParams, name: string): number | undefined {
  const text = parameterOf(query, name);
  if (text === undefined) return undefined;
  const time = parseRfc3339(text);
  if (time !== undefined) return time;
  throw queryProblem([parameterError(name, 'must be a date and time as in RFC 3339')]);
}

// An offset may lead out of the years of RFC 3339, whose text in UTC would then not sort by time.
const YEAR_0 = Date.parse('0000-01-01T00:00:00Z');
const YEAR_10000 = Date.UTC(10000, 0);

/** Returns the milliseconds since 1970 of a date and time as in RFC 3339; undefined for any other text. */
export function parseRfc3339(text: string): number | undefined {
  const [, date] = RFC_3339.exec(text) ?? [];
  if (date === undefined || !isDate(date)) return undefined;
  const milliseconds = Date.parse(text.toUpperCase());
  return milliseconds >= YEAR_0 && milliseconds < YEAR_10000 ? milliseconds : undefined;
}

/** Returns true for a day that exists: `Date.parse` reads February 30 as March 2. */
function isDate(date: string): boolean {
  const start = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(date);
}
