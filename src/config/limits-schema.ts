import { LIMIT_BASES } from '../core/limits.js';
import type { JsonSchema } from '../core/schema.js';
import { choice, flag, integer, section } from './schema-parts.js';

/** Largest number of calls of a limit. */
const MAX_CALLS = 1_000_000_000;

const PATTERN = {
  type: 'string',
  pattern: '^[A-Za-z0-9_.*-]{1,128}$',
  'x-hint': 'must be a name, in which * stands for any characters, for example orchestrator-manager.*',
} as const;

function names(title: string, description: string, items: JsonSchema): JsonSchema {
  return { title, description, type: 'array', maxItems: 100, uniqueItems: true, default: [], items };
}

function optionalCalls(title: string, description: string): JsonSchema {
  return {
    ...integer(title, description, { minimum: 1, maximum: MAX_CALLS, default: null }),
    type: ['integer', 'null'],
  };
}

const rule: JsonSchema = section(
  ['Limit', 'How many calls one caller may send in a period, or run at once.'],
  {
    enabled: flag('Enabled', 'False does not apply the limit.', true),
    per: choice(
      'Per',
      'What calls are counted by: subject, the client of the token (client_id or azp), role or address. Callers without a token count by address.',
      LIMIT_BASES,
    ),
    operations: names(
      'Operations',
      'Operations that the limit counts, for example orchestrator-manager.*; empty: all. Operations of health and metrics only by their exact names.',
      PATTERN,
    ),
    adapters: names(
      'Adapters',
      'Adapters whose calls the limit counts, for example lab-*; empty: all calls, also those without an adapter.',
      PATTERN,
    ),
    roles: names(
      'Roles',
      'Counts only callers with one of these roles; empty: all callers. A limit per role needs them.',
      { type: 'string', minLength: 1, maxLength: 256 },
    ),
    requests: optionalCalls('Requests', 'Number of calls in the period; null: no limit of the rate.'),
    periodSeconds: integer('Period', 'Period of the calls, in seconds.', {
      minimum: 1,
      maximum: 86_400,
      default: 60,
    }),
    burst: optionalCalls('Burst', 'Number of calls at once after a pause; null: as many as requests.'),
    concurrent: optionalCalls(
      'Concurrent',
      'Maximum number of calls that run at once, WebSockets included; null: no limit.',
    ),
  },
  {},
);

/** Schema of the key `limits`. */
export const limitsSchema: JsonSchema = {
  title: 'Limits',
  description: 'Limits of callers by name: how many calls a caller may send, and how many may run at once.',
  type: 'object',
  default: {},
  maxProperties: 50,
  propertyNames: {
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    'x-hint': 'must be a name of 1 to 64 letters, digits, ".", "_" and "-"',
  },
  additionalProperties: rule,
};
