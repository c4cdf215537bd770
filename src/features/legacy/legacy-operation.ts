import type { Call, Operation, Reply } from '../../core/operation.js';
import type { ProblemCode } from '../../core/problem-codes.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { doneSchema } from '../lib/management-schemas.js';
import type { DeprecationsDeps } from './deps.js';

/** Request and reply of an old operation, and its implementation with new operations. */
export interface LegacyHandler<Body = unknown>
  extends
    Pick<Operation<never, Body>, 'id' | 'summary' | 'description' | 'roles' | 'body' | 'bodyOptional'>,
    Pick<Operation<never, Body>, 'reply' | 'audited' | 'target' | 'changes' | 'optionalToken'> {
  /** The only operations that the handler may call. */
  readonly through: readonly string[];
  readonly serve: (call: Call<Body>, deps: LegacyHandlerDeps) => Promise<Reply> | Reply;
}

export type LegacyHandlerDeps = Pick<DeprecationsDeps, 'dispatch' | 'sessions' | 'reload'>;

/** Default roles of most old operations; their replacements have the same roles. */
export const ADMIN_ROLES = ['admin'] as const;

/** Query for all results in one page, because old operations have no pages. */
const ALL_RESULTS = new URLSearchParams({ limit: '999999999' });

export const doneReplySchema = doneSchema('Confirmed change');

/** Returns the schema of an object that requires these members and allows others. */
export function objectSchemaWith(...members: readonly string[]): JsonSchema {
  return {
    type: 'object',
    required: members,
    properties: Object.fromEntries(members.map((name) => [name, {}])),
  };
}

export function listSchemaOf(title: string, item: JsonSchema = { type: 'object' }): JsonSchema {
  return { title, type: 'array', items: item };
}

/** Returns the schema of a body. `required` maps the names of required texts to their descriptions. */
export function bodySchemaWith<
  const R extends Readonly<Record<string, string>>,
  const O extends Readonly<Record<string, JsonSchema>>,
>(title: string, required: R, optional: O) {
  const texts = Object.entries(required).map(
    ([name, description]) => [name, { type: 'string', minLength: 1, description }] as const,
  );
  const properties = { ...Object.fromEntries(texts), ...optional } as {
    readonly [K in keyof R]: { readonly type: 'string' };
  } & O;
  return { title, type: 'object', required: Object.keys(required) as (keyof R)[], properties } as const;
}

/** Returns the reply with one member of its body as the body; keeps the change and the headers. */
export function replyWithMember(reply: Reply, name: string): Reply {
  return { ...reply, body: (reply.body as Readonly<Record<string, unknown>>)[name] };
}

export async function allResultsOf<T>(
  dispatch: LegacyHandlerDeps['dispatch'],
  operation: string,
  call: Call,
): Promise<readonly T[]> {
  const { body } = await dispatch(operation, { ...call, query: ALL_RESULTS });
  return (body as { readonly results: readonly T[] }).results;
}

/** Two operations with the same effect, on an adapter and on an application. */
export type OperationPair = readonly [adapter: string, application: string];

/**
 * Calls the operation on the adapter `params.name`, or on the application of that name if the adapter does
 * not exist. Throws `adapter_not_found` if neither exists.
 */
export async function dispatchToEither(
  dispatch: LegacyHandlerDeps['dispatch'],
  [adapter, application]: OperationPair,
  call: Call,
): Promise<Reply> {
  return recoverFrom(
    'adapter_not_found',
    () => dispatch(adapter, call),
    () =>
      recoverFrom(
        'application_not_found',
        () => dispatch(application, call),
        () => {
          const { name = '' } = call.params;
          throw new Problem('adapter_not_found', `there is no adapter and no application "${name}"`);
        },
      ),
  );
}

/**
 * Returns the result of `attempt`; if it throws a Problem with this code, returns the result of `recover`.
 */
export async function recoverFrom<T>(
  code: ProblemCode,
  attempt: () => Promise<T>,
  recover: () => Promise<T> | T,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== code) throw error;
    return recover();
  }
}

/** Returns the call with this name as the path parameter `name` of the new operations. */
export function callWithName(call: Call, name: string | undefined): Call {
  return { ...call, params: { name: name ?? '' } };
}
