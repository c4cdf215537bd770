import type { Connection } from '../../core/adapter.js';
import type { JsonSchema } from '../../core/schema.js';
import type { NumberParameter } from '../../http/query-parameters.js';
import { objectOf } from './reply-schemas.js';

const perMinute = { type: 'number', minimum: 0 } as const;
const milliseconds = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'Milliseconds; null without a call',
} as const;

const callCount = { type: 'integer', minimum: 0 } as const;

export const connectionState = {
  enum: ['ONLINE', 'OFFLINE', 'LOGIN_REFUSED', 'UNKNOWN'] satisfies readonly Connection['state'][],
} as const;

/** Members for the numbers and the rates of calls, of failed and of rejected calls. */
export const callRates = {
  calls: callCount,
  errors: callCount,
  clientErrors: { ...callCount, description: 'Calls that ended with a status of 400 to 499' },
  perMinute,
  errorsPerMinute: perMinute,
} as const;

/** Members for the median and the 95th percentile of the response times. */
export const responseTimes = { p50Ms: milliseconds, p95Ms: milliseconds } as const;

/** Schema of the call rates and the response times of the last five minutes. */
export const ratesSchema: JsonSchema = {
  title: 'Traffic rates',
  ...objectOf({ ...callRates, ...responseTimes }),
  description: 'Rates of the last five minutes; an error is a response with a status of 500 or above',
};

export const adapterParameter = {
  type: 'string',
  description: 'Name of the only adapter to include; absent: all adapters',
} as const;

/** Returns the schema of a query parameter that is a whole number, for the API description. */
export function numberParameterSchema({ preset, min, max }: NumberParameter): object {
  return { type: 'integer', minimum: min, maximum: max, default: preset };
}
