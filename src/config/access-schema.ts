import { CALL_OPERATIONS } from '../core/access-policy.js';
import type { JsonSchema } from '../core/schema.js';
import { accessRuleMembers, ruleList } from './adapter-policy-schema.js';
import { section } from './schema-parts.js';

/** Schema of the key `access` of the main file. */
export const globalAccessSchema: JsonSchema = {
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
};
