import { CALL_METHOD, METHOD_EFFECTS } from '../core/adapter-method.js';
import type { JsonSchema } from '../core/schema.js';
import { section } from './schema-parts.js';

export const CALL_BY_NAME = 'adapters.callAdapterMethod';

/** Operations that send calls through an adapter. Access rules decide about them. */
export const CALL_OPERATIONS = [
  'orchestrator-manager.restAction',
  'orchestrator-manager.restQuery',
  'proxy.passThrough',
  CALL_BY_NAME,
] as const;

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', CALL_METHOD];

const accessRuleMembers = {
  roles: ruleList('Roles', 'Roles of the caller; one of them is sufficient.', {
    type: 'string',
    minLength: 1,
  }),
  methods: ruleList(
    'Methods',
    "Methods of the request to the orchestrator; CALL admits calls of the adapter's methods by name.",
    {
      enum: METHODS,
      'x-hint': 'must be GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS or CALL',
    },
  ),
  paths: ruleList('Paths', 'Path patterns: * matches a part of a segment, ** any number of segments.', {
    type: 'string',
    pattern: '^/[^?#\\s]*$',
    'x-hint': 'must be a path pattern such as /restconf/data/**',
  }),
  methodNames: ruleList(
    'Method names',
    'Names of methods of adapters; * matches any number of characters, as in get*. A rule with methodNames, methodTags or methodEffects admits only calls of methods by name.',
    { type: 'string', minLength: 1, maxLength: 256 },
  ),
  methodTags: ruleList(
    'Method tags',
    'Tags, of which the method has one; * matches any number of characters.',
    { type: 'string', minLength: 1, maxLength: 256 },
  ),
  methodEffects: ruleList(
    'Method effects',
    'What the method does at the orchestrator; a method that names no effect may change it.',
    { enum: METHOD_EFFECTS, 'x-hint': 'must be read, change or delete' },
  ),
} as const;

/** Schema of the key `access` of an adapter. */
export const accessSchema = {
  title: 'Access',
  description:
    'Rules, of which at least one must admit a call. Without rules, only the roles of the operation apply.',
  type: 'array',
  default: [],
  items: section(['Rule', 'A key that is absent admits everything.'], accessRuleMembers, {
    minProperties: 1,
  }),
} as const;

function ruleList<const S extends JsonSchema>(title: string, description: string, items: S) {
  return { title, description, type: 'array', minItems: 1, uniqueItems: true, items } as const;
}

/** Schema of the key `access` of the main file. */
export const globalAccessSchema = {
  title: 'Access to adapters',
  description:
    'Rules for calls through adapters. An adapter that a rule selects admits only calls that one of these rules admits, and that its own key access admits as well. Adapters that no rule selects admit calls as before.',
  type: 'array',
  default: [],
  maxItems: 1000,
  items: section(
    [
      'Rule',
      'adapters and tags select the adapters of the rule: a key that is absent selects all. The other keys admit calls to them: a key that is absent admits everything.',
    ],
    {
      adapters: ruleList('Adapters', 'adapterIds; * matches any number of characters, as in nso*.', {
        type: 'string',
        minLength: 1,
        maxLength: 256,
      }),
      tags: ruleList('Tags', 'Tags, of which the adapter has one; * matches any number of characters.', {
        type: 'string',
        minLength: 1,
        maxLength: 256,
      }),
      operations: ruleList('Operations', 'Operations that send calls through adapters.', {
        type: 'string',
        minLength: 1,
        examples: [...CALL_OPERATIONS],
      }),
      ...accessRuleMembers,
    },
    { minProperties: 1 },
  ),
} as const;
