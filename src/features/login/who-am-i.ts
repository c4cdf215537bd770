import { createHash } from 'node:crypto';
import type { Operation } from '../../core/operation.js';
import { admits, callerName, LOCAL_ISSUER, type Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { TASK_VIEWS } from '../../core/task.js';
import { remainingSecondsOf, renewalCookieOf, sessionCookieTerms } from './cookies.js';
import type { LoginDeps, OpenOperation } from './deps.js';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;

export const callerSchema = {
  title: 'Caller',
  type: 'object',
  required: [
    'id',
    'provenance',
    'username',
    'firstname',
    'subject',
    'groups',
    'routes',
    'methods',
    'missingRoles',
    'roles',
    'expiresIn',
    'isRenewable',
  ],
  properties: {
    id: { type: 'string', description: '24 hexadecimal digits, derived from issuer and name' },
    provenance: { type: 'string', description: '`local_aaa` for the built-in issuer; otherwise the issuer' },
    username: { ...text, description: 'Name for people, which does not identify the caller' },
    firstname: text,
    subject: {
      ...text,
      description: 'Subject of the token; it identifies the caller together with the issuer',
    },
    groups: {
      type: 'array',
      description: 'Roles with their names',
      items: {
        type: 'object',
        required: ['id', 'provenance', 'name'],
        properties: { id: text, provenance: text, name: text },
      },
    },
    routes: { ...texts, description: 'Paths of the pages that the caller may open' },
    methods: {
      type: 'object',
      description: 'Ids of the operations that the caller may call, by application',
      additionalProperties: texts,
    },
    missingRoles: {
      type: 'object',
      description:
        'For the id of each operation that the caller may not call, the roles of which one is needed',
      additionalProperties: texts,
    },
    roles: { ...texts, description: 'Ids of the roles' },
    expiresIn: { type: 'integer', description: 'Remaining lifetime of the token, in seconds' },
    isRenewable: {
      type: 'boolean',
      description: 'True if the browser has a session that POST /console/session/renew renews',
    },
  },
} as const;

export const whoAmI: Operation<LoginDeps> = {
  id: 'whoami',
  summary: 'Get the identity of the caller and the operations that the caller may call.',
  description:
    'Returns the name, the issuer and the roles of the caller, and the ids of all operations that these roles admit.',
  method: 'GET',
  path: '/whoami',
  roles: 'authenticated',
  reply: callerSchema,
  async handle({ principal, header }, deps) {
    if (!principal) throw new Problem('internal', 'whoami was opened to callers without a token');
    const { isSecure } = await sessionCookieTerms({ header }, deps);
    const isRenewable = renewalCookieOf({ header }, isSecure) !== undefined;
    return { body: describeCaller(principal, deps, isRenewable) };
  },
};

/** Id of the operation that serves the task pages. */
const TASK_PAGE_OPERATION = 'getTaskPage';
/** Paths of the task pages, as clients know them. */
const TASK_PAGE_PATHS = ['/json-forms/', ...TASK_VIEWS.map((view) => `/json-forms/task/${view}`)];

/**
 * Returns the identity of a caller, the operations that the caller may call (wire section 1.4), and when the session
 * of a browser ends.
 */
export function describeCaller(
  principal: Principal,
  { openOperations, clock }: LoginDeps,
  isRenewable: boolean,
): object {
  const { subject, issuer, roles } = principal;
  // Clients know the built-in issuer by this name.
  const provenance = issuer === LOCAL_ISSUER ? 'local_aaa' : issuer;
  const allowed = openOperations().filter((operation) => admits(operation.roles, principal));
  const groups = roles.map((name) => ({ id: idOf(provenance, 'role', name), provenance, name }));
  return {
    id: idOf(provenance, 'user', subject),
    provenance,
    username: callerName(principal),
    firstname: callerName(principal),
    subject,
    groups,
    routes: allowed.some(({ id }) => id === TASK_PAGE_OPERATION) ? TASK_PAGE_PATHS : [],
    methods: methodsOf(allowed),
    missingRoles: missingRolesOf(openOperations(), principal),
    roles: groups.map(({ id }) => id),
    expiresIn: remainingSecondsOf(principal, clock.now()),
    isRenewable,
  };
}

/** Returns the roles of the operations that a caller may not call. A page names them to the person. */
function missingRolesOf(
  operations: readonly OpenOperation[],
  principal: Principal,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    operations.flatMap(({ id, roles }) =>
      typeof roles === 'string' || admits(roles, principal) ? [] : [[id, roles] as const],
    ),
  );
}

function methodsOf(operations: readonly OpenOperation[]): Readonly<Record<string, readonly string[]>> {
  const names = [...new Set(operations.map(({ provenance }) => provenance))];
  const idsOf = (name: string): readonly string[] =>
    operations.flatMap(({ provenance, id }) => (provenance === name ? [id] : []));
  return Object.fromEntries(names.map((name) => [name, idsOf(name)]));
}

/** Derives a stable id, with the length that clients expect. */
function idOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}
