import { Problem } from '../../core/problem.js';

/** What a number of a query may be. */
export interface NumberRule {
  readonly name: string;
  readonly preset: number;
  readonly least: number;
  readonly most: number;
}

/** A whole number of the query. Throws `invalid_request` for what is none, or out of its bounds. */
export function readNumber(query: URLSearchParams, { name, preset, least, most }: NumberRule): number {
  const text = query.get(name);
  if (text === null) return preset;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  const message = `must be a whole number from ${least} to ${most}`;
  throw new Problem('invalid_request', `/${name} ${message}`, { errors: [{ pointer: `/${name}`, message }] });
}

/** Schema of such a number, for the description of a query. */
export function numberParameter({ preset, least, most }: NumberRule): object {
  return { type: 'integer', minimum: least, maximum: most, default: preset };
}
