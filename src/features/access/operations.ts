import { RULE_MEMBERS } from '../../core/access-decision.js';
import { type CalledMethod, calledMethod, methodOfPath } from '../../core/adapter-method.js';
import type { Application, Call, Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { didYouMean } from '../../lib/closest-name.js';
import { CALL_BY_NAME } from '../../settings/access.js';
import type { ListMethods } from '../adapters/method-list.js';
import { count, listOf, names, text } from '../lib/reply-schemas.js';
import type { AccessDirectory } from './access-directory.js';
import { type AccessCaller, type AccessOperation, explainAccess } from './access-explanation.js';
import { findOperation } from './access-operation.js';
import type { AccessDeps } from './deps.js';
import { getAdapterAccess, getOperationAccess, allowedSchema, resultSchema } from './lists.js';

const ruleSchema = {
  type: 'object',
  description: 'A rule as in the configuration',
  properties: {
    adapters: names,
    tags: names,
    operations: names,
    roles: names,
    methods: names,
    paths: names,
    methodNames: names,
    methodTags: names,
    methodEffects: names,
  },
} as const;

const outcomeSchema = {
  type: 'object',
  required: ['rule', 'result'],
  properties: {
    rule: { ...count, description: 'Index of the rule in its list' },
    result: resultSchema,
    member: {
      enum: RULE_MEMBERS,
      description: 'First key of the rule that does not admit the call, or only some calls',
    },
  },
} as const;

const stepSchema = {
  type: 'object',
  required: ['check', 'result', 'outcomes', 'rules'],
  properties: {
    check: {
      enum: ['operation', 'global', 'granted', 'adapter'],
      description:
        'operation: the roles of the operation; global: the rules of the main configuration that select the adapter; granted: the stored rules that select the adapter, which admit calls in place of both; adapter: the rules of the adapter',
    },
    result: resultSchema,
    rule: { ...count, description: 'Index of the rule that decided; absent if no rule admits the call' },
    outcomes: { type: 'array', items: outcomeSchema, description: 'Rules up to the one that decided' },
    rules: { type: 'array', items: ruleSchema, description: 'The rules of `outcomes`, in their order' },
    names: { ...names, description: 'Names of `rules`, if they are stored' },
    roles: allowedSchema,
    isConfigured: { type: 'boolean', description: 'True if the configuration replaces the roles' },
  },
} as const;

const decisionSchema = {
  title: 'Access decision',
  type: 'object',
  required: ['caller', 'operation', 'result', 'steps'],
  properties: {
    caller: {
      type: 'object',
      required: ['source', 'roles'],
      properties: {
        subject: text,
        source: { enum: ['user', 'client', 'certificate', 'claims', 'roles'] },
        roles: names,
        tokenRoles: names,
      },
    },
    operation: text,
    adapter: text,
    method: text,
    path: text,
    result: resultSchema,
    steps: { type: 'array', items: stepSchema, description: 'Steps up to the one that denies the call' },
    adapters: {
      ...listOf({ adapter: text, result: resultSchema }),
      description: 'The result for each adapter, for a call without an adapter',
    },
  },
} as const;

/** All parameters together fit into a request target, which has at most 8192 bytes. */
const parameter = (maxLength: number, description: string) =>
  ({ type: 'string', maxLength, description }) as const;

/** Answers whether a caller may call an operation, with the steps of the decision. */
const getAccessDecision: Operation<AccessDeps> = {
  id: 'getAccessDecision',
  summary: 'Get whether a caller may call an operation through an adapter, and why.',
  description:
    'Answers by the active configuration, with the function that refuses calls. Name `subject` for a user, a client or a certificate of the configuration, or `roles` for other callers. Sends nothing.',
  problems: ['invalid_request', 'adapter_not_found'],
  method: 'GET',
  path: '/decision',
  topics: ['adapters', 'profiles'],
  roles: ['admin'],
  query: {
    type: 'object',
    required: ['operation'],
    properties: {
      subject: parameter(256, 'Name of a user, a client or a certificate of the configuration'),
      roles: parameter(1024, 'Roles after the role map, separated by commas, in place of `subject`'),
      operation: parameter(
        128,
        'Name of the operation, for example orchestrator-manager.restQuery or restQuery',
      ),
      adapter: parameter(256, 'Name of the adapter; absent: the result for each adapter'),
      method: parameter(16, 'Method of the request to the orchestrator; absent: any method'),
      path: parameter(
        2048,
        'Path of the request to the orchestrator, or /call/ and the name of a method; absent: any path',
      ),
    },
  },
  reply: decisionSchema,
  async handle({ query, signal }, { access, listMethods }) {
    const adapterId = query.get('adapter') ?? undefined;
    const policies = access.policies();
    const adapter = adapterId === undefined ? undefined : policies.get(adapterId);
    if (adapterId !== undefined && !adapter) {
      const suggestion = didYouMean(adapterId, [...policies.keys()]);
      throw new Problem('adapter_not_found', `there is no adapter "${adapterId}"${suggestion}`);
    }
    const caller = callerOf(query, access);
    const operation = operationOf(query.get('operation') ?? '', access);
    const body = explainAccess({
      caller,
      operation,
      called: await calledIn({ operation, query, signal }, listMethods),
      policies: [...policies.values()],
      adapter,
      method: query.get('method')?.toUpperCase(),
      path: query.get('path') ?? undefined,
    });
    return { body };
  },
};

/** Returns the method of a question about a call by name; undefined if its adapter does not list it now. */
async function calledIn(
  { operation, query, signal }: Pick<Call, 'query' | 'signal'> & { readonly operation: AccessOperation },
  listMethods: ListMethods,
): Promise<CalledMethod | undefined> {
  const [adapter, name] = [query.get('adapter'), methodOfPath(query.get('path') ?? '')];
  if (operation.name !== CALL_BY_NAME || adapter === null || name === undefined) return undefined;
  const methods = await listMethods(adapter, signal).catch(() => []);
  const found = methods.find((method) => method.name === name);
  return found && calledMethod(found);
}

function callerOf(query: URLSearchParams, access: AccessDirectory): AccessCaller {
  const [subject, roles] = [query.get('subject'), query.get('roles')];
  if (roles !== null) {
    const list = roles.split(',').map((role) => role.trim());
    const given = list.filter((role) => role !== '');
    return { source: 'roles', roles: given, ...(subject !== null && { subject }) };
  }
  if (subject === null) throw invalidParameter('subject', 'is missing; name a subject, or roles');
  const caller = access.callerOf(subject);
  if (caller) return caller;
  const suggestion = didYouMean(subject, access.subjects());
  throw invalidParameter(
    'subject',
    `is no user, client or certificate of the configuration${suggestion}; name roles for people of an identity provider`,
  );
}

function operationOf(name: string, access: AccessDirectory): AccessOperation {
  const found = findOperation(name, access.operations());
  if ('operation' in found) return found.operation;
  throw invalidParameter('operation', name === '' ? 'is missing' : found.reason);
}

function invalidParameter(name: string, message: string): Problem {
  const pointer = `/${name}`;
  return new Problem('invalid_request', `the parameter ${name} ${message}`, {
    errors: [{ pointer, message }],
  });
}

/** The application that answers who may call what. */
export const access: Application<AccessDeps> = {
  name: 'access',
  summary: 'Who may call which operation, and through which adapter, with the reasons.',
  prefixes: ['/access'],
  operations: [getAccessDecision, getOperationAccess, getAdapterAccess],
};
