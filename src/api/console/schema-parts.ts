import type { NumberParameter } from '../../core/query-parameters.js';
import type { JsonSchema } from '../../core/schema.js';

export const text = { type: 'string' } as const;
export const textOrNull = { type: ['string', 'null'] } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const countOrNull = { type: ['integer', 'null'], minimum: 0 } as const;
export const names = { type: 'array', items: text } as const;
export const timestamp = { type: 'integer', description: 'Milliseconds since 1970' } as const;
export const timestampOrNull = { type: ['integer', 'null'], description: 'Milliseconds since 1970' } as const;
const perMinute = { type: 'number', minimum: 0 } as const;
const milliseconds = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'Milliseconds; null without a call',
} as const;

/** Returns the schema of an object that requires all of these members. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** Returns the schema of a list of objects that require all of these members. */
export function listOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'array', items: objectOf(properties) };
}

/** Returns the schema of an object that may be null. */
export function nullableOf(schema: JsonSchema): Readonly<Record<string, unknown>> {
  return { ...schema, type: ['object', 'null'] };
}

/** Members for the rate of calls, and for the rate of failed calls. */
export const callRates = { perMinute, errorsPerMinute: perMinute } as const;

/** Members for the median and the 95th percentile of the response times. */
export const responseTimes = { p50Ms: milliseconds, p95Ms: milliseconds } as const;

/** Schema of the call rates and the response times of the last five minutes. */
export const ratesSchema: JsonSchema = {
  title: 'Traffic rates',
  ...objectOf({ ...callRates, ...responseTimes }),
  description: 'Rates of the last five minutes; an error is a response with a status of 500 or above',
};

/** Query parameter that selects one adapter. */
export const adapterParameter = {
  type: 'string',
  description: 'Name of the only adapter to include; absent: all adapters',
} as const;

/** Returns the schema of a query parameter that is a whole number, for the API description. */
export function numberParameterSchema({ preset, min, max }: NumberParameter): object {
  return { type: 'integer', minimum: min, maximum: max, default: preset };
}
