import type { JsonSchema } from '../core/schema.js';
import { choice, flag, integer, optionalInteger, section } from './schema-parts.js';

/** What the calls of a limit are counted by. */
export const LIMIT_BASES = ['subject', 'client', 'role', 'address'] as const;

const MAX_CALLS = 1_000_000_000;

const PATTERN = {
  type: 'string',
  pattern: '^[A-Za-z0-9_.*-]{1,128}$',
  'x-hint': 'must be a name, in which * matches any characters, for example orchestrator-manager.*',
} as const;

function names<const S extends JsonSchema>(title: string, description: string, items: S) {
  return { title, description, type: 'array', maxItems: 100, uniqueItems: true, default: [], items } as const;
}

function optionalCalls(title: string, description: string): ReturnType<typeof optionalInteger> {
  return optionalInteger(title, description, { minimum: 1, maximum: MAX_CALLS });
}

const rule = section(
  ['Limit', 'Maximum number of calls of one caller in a period, and of concurrent calls.'],
  {
    enabled: flag('Enabled', 'False does not apply the limit.', true),
    per: choice(
      'Per',
      'Property by which callers are counted: subject, the client of the token (client_id or azp), role or address. Callers without a token are counted by address.',
      LIMIT_BASES,
    ),
    operations: names(
      'Operations',
      'Operations that the limit counts, for example orchestrator-manager.*; empty: all. Operations of health, metrics, limits and access rules match only by their exact names.',
      PATTERN,
    ),
    adapters: names(
      'Adapters',
      'Adapters whose calls the limit counts, for example lab-*; empty: all calls, also those without an adapter.',
      PATTERN,
    ),
    roles: names(
      'Roles',
      'Counts only callers with one of these roles; empty: all callers. A limit per role requires roles.',
      { type: 'string', minLength: 1, maxLength: 256 },
    ),
    callerNames: names(
      'Caller names',
      'Counts only these callers: subjects, names or clients of tokens, for example ada or robot-*; empty: all callers.',
      { type: 'string', minLength: 1, maxLength: 256 },
    ),
    requests: optionalCalls('Requests', 'Number of calls in the period; null: no limit of the rate.'),
    periodSeconds: integer('Period', 'Period of the calls, in seconds.', {
      minimum: 1,
      maximum: 86_400,
      default: 60,
    }),
    burst: optionalCalls(
      'Burst',
      'Number of calls that are admitted at once after a pause; null: as many as requests.',
    ),
    concurrent: optionalCalls(
      'Concurrent',
      'Maximum number of concurrent calls, WebSockets included; null: no limit.',
    ),
  },
  {},
);

/** Schema of the name of a limit, and of any rule that is stored. */
export const ruleNameSchema = {
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  'x-hint': 'must be a name of 1 to 64 letters, digits, ".", "_" and "-"',
} as const;

/** Schema of the key `limits`. */
export const limitsSchema = {
  title: 'Limits',
  description: 'Rate limits and concurrency limits of callers, by name.',
  type: 'object',
  default: {},
  maxProperties: 50,
  propertyNames: ruleNameSchema,
  additionalProperties: rule,
} as const;
