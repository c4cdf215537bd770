import type { JsonSchema } from '../../core/schema.js';

/** Parts of the schemas of this application's replies. */
export const text = { type: 'string' } as const;
export const textOrNull = { type: ['string', 'null'] } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const countOrNull = { type: ['integer', 'null'], minimum: 0 } as const;
export const names = { type: 'array', items: text } as const;
export const moment = { type: 'integer', description: 'Milliseconds since 1970' } as const;
export const momentOrNull = { type: ['integer', 'null'], description: 'Milliseconds since 1970' } as const;
const perMinute = { type: 'number', minimum: 0 } as const;
const milliseconds = { type: ['integer', 'null'], minimum: 0, description: 'Null without a call' } as const;

/** Returns the schema of an object that requires all of these members. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** Returns the schema of a list of objects that require all of these members. */
export function listOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'array', items: objectOf(properties) };
}

/** Rate of calls, and rate of failed calls. */
export const callRates = { perMinute, errorsPerMinute: perMinute } as const;

/** Median and 95th percentile of the response times. */
export const times = { p50Ms: milliseconds, p95Ms: milliseconds } as const;

/** Rates of the last five minutes. */
export const ratesSchema: JsonSchema = {
  ...objectOf({ ...callRates, ...times }),
  description: 'Of the last five minutes; errors are answers with a status of 500 or above',
};

/** Query parameter that selects one adapter. */
export const adapterParameter = {
  type: 'string',
  description: 'Of this adapter alone',
} as const;
