import type { Operation } from '../../core/operation.js';
import type { AllowedRoles } from '../../core/principal.js';
import { listRow, listSchema, queryList } from '../../http/list-query.js';
import { CALL_OPERATIONS } from '../../settings/access.js';
import { count, names, objectOf, text } from '../lib/reply-schemas.js';
import { callResults } from './access-explanation.js';
import type { AccessDeps } from './deps.js';

/** Schema of the result of a decision. */
export const resultSchema = {
  enum: ['allowed', 'depends', 'denied'],
  description: 'depends: allowed for some methods and paths, or adapters, and not for others',
} as const;

/** Schema of the roles that may call an operation. */
export const allowedSchema = {
  oneOf: [names, { enum: ['authenticated', 'public'] }],
  description: 'Roles that may call the operation; authenticated: every caller with a token',
} as const;

/** Lists which roles may call each operation. */
export const getOperationAccess: Operation<AccessDeps> = {
  id: 'getOperationAccess',
  summary: 'List the operations with the roles that may call them.',
  description:
    'Returns one page of the operations, each with its roles by the configuration. Access rules of adapters are not considered.',
  method: 'GET',
  path: '/operations',
  topics: ['adapters', 'profiles'],
  roles: ['admin'],
  ...listRow,
  reply: listSchema(
    'Access to operations',
    objectOf({
      name: text,
      allowed: allowedSchema,
      isConfigured: { type: 'boolean', description: 'True if the configuration replaces the roles' },
      through: { type: 'boolean', description: 'True if the operation sends calls through an adapter' },
    }),
  ),
  handle({ query }, { access }) {
    const rows = access.operations().map((operation) => ({
      ...operation,
      through: CALL_OPERATIONS.some((name) => name === operation.name),
    }));
    return { body: queryList(rows, query, { nameOf: ({ name }) => name }) };
  },
};

/** Lists what each role may call through each adapter. */
export const getAdapterAccess: Operation<AccessDeps> = {
  id: 'getAdapterAccess',
  summary: 'List the adapters with what each role may call through them.',
  description:
    'Returns one page of the adapters. `results` has the result for each role of the configuration and each operation that sends calls through adapters, by the roles of the operation and the access rules.',
  method: 'GET',
  path: '/adapters',
  topics: ['adapters', 'profiles'],
  roles: ['admin'],
  ...listRow,
  reply: listSchema(
    'Access to adapters',
    objectOf({
      name: text,
      globalRules: {
        ...count,
        description: 'Number of rules of the main configuration that select the adapter',
      },
      storedRules: { ...count, description: 'Number of stored rules that select the adapter' },
      ownRules: { ...count, description: 'Number of rules of the adapter' },
      results: {
        type: 'object',
        description: 'Results by role and operation',
        additionalProperties: { type: 'object', additionalProperties: resultSchema },
      },
    }),
  ),
  handle({ query }, { access }) {
    const roles = access.roles();
    const allowed = new Map(access.operations().map((operation) => [operation.name, operation.allowed]));
    const allowedOf = (name: string): AllowedRoles => allowed.get(name) ?? [];
    const adapters = [...access.policies().values()];
    const { results, total } = queryList(adapters, query, { nameOf: ({ adapterId }) => adapterId });
    const rows = results.map((policy) => ({
      name: policy.adapterId,
      globalRules: policy.global.length,
      storedRules: policy.granted?.rules.length ?? 0,
      ownRules: policy.own.length,
      results: Object.fromEntries(roles.map((role) => [role, callResults(policy, role, allowedOf)])),
    }));
    return { body: { results: rows, total } };
  },
};
