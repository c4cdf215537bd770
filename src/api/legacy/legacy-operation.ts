import { doneSchema } from '../../core/management-reply.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { ProblemCode } from '../../core/problem-codes.js';
import type { JsonSchema } from '../../core/schema.js';
import type { DeprecationsDeps } from './deps.js';

/** What an old operation takes and answers, and how the new ones do it for it. */
export interface LegacyHandler<Body = unknown>
  extends
    Pick<Operation<never, Body>, 'id' | 'summary' | 'roles' | 'body' | 'bodyOptional' | 'reply' | 'audited'>,
    Pick<Operation<never, Body>, 'target' | 'changes'> {
  /** The operations that it asks; no others. */
  readonly through: readonly string[];
  readonly serve: (call: Call<Body>, deps: ServingDeps) => Promise<Reply> | Reply;
}

/** What a serving works with. */
export type ServingDeps = Pick<DeprecationsDeps, 'ask' | 'sessions' | 'reread'>;

/** Most old operations are for admins, as those in their place are until the operator says otherwise. */
export const ADMIN = ['admin'] as const;

/** Lists were whole: there were no pages. */
export const WHOLE = new URLSearchParams({ limit: '999999999' });

/** The answer to a change. */
export const doneReply = doneSchema('Done');

/** Schema of an object that has these members, beside others. */
export function objectWith(...members: readonly string[]): JsonSchema {
  return {
    type: 'object',
    required: members,
    properties: Object.fromEntries(members.map((name) => [name, {}])),
  };
}

/** Schema of a list. */
export function listOf(title: string, item: JsonSchema = { type: 'object' }): JsonSchema {
  return { title, type: 'array', items: item };
}

/** Schema of a body with texts that must be there, beside others. */
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

/** An answer that was asked for, with one member of its body as the body: its change and its headers stay. */
export function memberOf(reply: Reply, name: string): Reply {
  return { ...reply, body: (reply.body as Readonly<Record<string, unknown>>)[name] };
}

/** The items of a whole list. */
export async function resultsOf<T>(
  ask: ServingDeps['ask'],
  operation: string,
  call: Call,
): Promise<readonly T[]> {
  const { body } = await ask(operation, { ...call, query: WHOLE });
  return (body as { readonly results: readonly T[] }).results;
}

/** Two operations that do the same: to an adapter, to an application. */
export type LegacyPair = readonly [adapter: string, application: string];

/** Asks for the adapter of `params.name`, else for the application. Throws `adapter_not_found` when there is neither. */
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

/** Goes on with `next` when the work fails with this code. */
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

/** The call about something of this name, under the name that new operations have for the parameter. */
export function about(call: Call, name: string | undefined): Call {
  return { ...call, params: { name: name ?? '' } };
}
