import { doneSchema } from '../../core/management-reply.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { ProblemCode } from '../../core/problem-codes.js';
import type { JsonSchema } from '../../core/schema.js';
import type { DeprecationsDeps } from './deps.js';

/** Request and reply of an old operation, and its implementation with new operations. */
export interface LegacyHandler<Body = unknown>
  extends
    Pick<Operation<never, Body>, 'id' | 'summary' | 'roles' | 'body' | 'bodyOptional' | 'reply' | 'audited'>,
    Pick<Operation<never, Body>, 'target' | 'changes'> {
  /** The only operations that the handler may call. */
  readonly through: readonly string[];
  readonly serve: (call: Call<Body>, deps: ServingDeps) => Promise<Reply> | Reply;
}

/** Dependencies of a legacy handler. */
export type ServingDeps = Pick<DeprecationsDeps, 'ask' | 'sessions' | 'reread'>;

/** Default roles of most old operations, the same as those of their replacements. */
export const ADMIN = ['admin'] as const;

/** Query for a complete list, because old operations have no pages. */
export const WHOLE = new URLSearchParams({ limit: '999999999' });

/** Schema of the reply to a change. */
export const doneReply = doneSchema('Done');

/** Returns the schema of an object that requires these members and allows others. */
export function objectWith(...members: readonly string[]): JsonSchema {
  return {
    type: 'object',
    required: members,
    properties: Object.fromEntries(members.map((name) => [name, {}])),
  };
}

/** Returns the schema of a list. */
export function listOf(title: string, item: JsonSchema = { type: 'object' }): JsonSchema {
  return { title, type: 'array', items: item };
}

/** Returns the schema of a body with required and optional members; the required members are texts. */
export function bodyWith(
  title: string,
  required: Readonly<Record<string, string>>,
  optional: JsonSchema = {},
): JsonSchema {
  const texts = Object.entries(required).map(
    ([name, description]) => [name, { type: 'string', minLength: 1, description }] as const,
  );
  const properties = { ...Object.fromEntries(texts), ...optional };
  return { title, type: 'object', required: Object.keys(required), properties };
}

/** Replaces the body of a reply by one of its members; keeps the change and the headers. */
export function memberOf(reply: Reply, name: string): Reply {
  return { ...reply, body: (reply.body as Readonly<Record<string, unknown>>)[name] };
}

/** Returns all items of a list. */
export async function resultsOf<T>(
  ask: ServingDeps['ask'],
  operation: string,
  call: Call,
): Promise<readonly T[]> {
  const { body } = await ask(operation, { ...call, query: WHOLE });
  return (body as { readonly results: readonly T[] }).results;
}

/** Two operations with the same effect, on an adapter and on an application. */
export type LegacyPair = readonly [adapter: string, application: string];

/**
 * Calls the operation for the adapter `params.name`, or for the application if no such adapter exists. Throws
 * `adapter_not_found` if neither exists.
 */
export async function askEither(
  ask: ServingDeps['ask'],
  [adapter, application]: LegacyPair,
  call: Call,
): Promise<Reply> {
  return orElse(
    'adapter_not_found',
    () => ask(adapter, call),
    () =>
      orElse(
        'application_not_found',
        () => ask(application, call),
        () => {
          const { name = '' } = call.params;
          throw new Problem('adapter_not_found', `there is no adapter and no application "${name}"`);
        },
      ),
  );
}

/** Calls `next` if the work fails with this code. */
export async function orElse<T>(
  code: ProblemCode,
  work: () => Promise<T>,
  next: () => Promise<T> | T,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== code) throw error;
    return next();
  }
}

/** Returns the call with this name as the parameter `name`, which new operations use. */
export function about(call: Call, name: string | undefined): Call {
  return { ...call, params: { name: name ?? '' } };
}
