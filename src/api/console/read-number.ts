import { Problem } from '../../core/problem.js';

/** Name, default and bounds of a number in a query. */
export interface NumberRule {
  readonly name: string;
  readonly preset: number;
  readonly least: number;
  readonly most: number;
}

/** Parses a whole number of the query. Throws `invalid_request` if it is not a number or out of bounds. */
export function readNumber(query: URLSearchParams, { name, preset, least, most }: NumberRule): number {
  const text = query.get(name);
  if (text === null) return preset;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  const message = `must be a whole number from ${least} to ${most}`;
  throw new Problem('invalid_request', `/${name} ${message}`, { errors: [{ pointer: `/${name}`, message }] });
}

/** Returns the schema of a number in a query, for the API description. */
export function numberParameter({ preset, least, most }: NumberRule): object {
  return { type: 'integer', minimum: least, maximum: most, default: preset };
}
