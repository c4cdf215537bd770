import type { Call } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { authorOf, type ChangeNote, MAX_COMMENT_LENGTH } from '../../core/record-history.js';
import type { JsonSchema } from '../../core/schema.js';
import { numberParameterOf, parameterError, parameterOf, queryProblem } from '../../http/query-parameters.js';
import type { FromSchema } from '../../settings/from-schema.js';

/** Maximum time to confirm a change, in minutes: one day. */
const MAX_CONFIRM_MINUTES = 1440;

const COMMENT_DESCRIPTION = 'Reason of the change, for the history and the timeline';
const CONFIRM_DESCRIPTION =
  'Minutes within which the change must be confirmed, as a confirmed commit of NETCONF; otherwise the server returns to the previous state. Absent: the change is permanent';

/** Schema of the member `comment` of a request body. */
export const commentMember = {
  comment: {
    type: ['string', 'null'],
    maxLength: MAX_COMMENT_LENGTH,
    description: COMMENT_DESCRIPTION,
  },
} as const;

/** Schemas of the members of a request body for a change that can be confirmed. */
export const changeMembers = {
  ...commentMember,
  confirmWithin: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MAX_CONFIRM_MINUTES,
    description: CONFIRM_DESCRIPTION,
  },
} as const;

export function rollbackSchema<const Title extends string>(title: Title) {
  return {
    title,
    type: 'object',
    required: ['revision'],
    additionalProperties: false,
    properties: {
      revision: { type: 'integer', minimum: 0, description: 'Revision of the version to restore' },
      ...changeMembers,
    },
  } as const;
}

/** Reason of a change, and the time within which it must be confirmed. */
export type ChangeTerms = FromSchema<{ readonly type: 'object'; readonly properties: typeof changeMembers }>;

/** Query with the reason of a change, for operations without a body. */
export const commentQuery: JsonSchema = {
  type: 'object',
  properties: {
    comment: { type: 'string', maxLength: MAX_COMMENT_LENGTH, description: COMMENT_DESCRIPTION },
  },
};

/** Query of a change that can be confirmed, for operations without a body. */
export const changeQuery: JsonSchema = {
  type: 'object',
  properties: {
    comment: { type: 'string', maxLength: MAX_COMMENT_LENGTH, description: COMMENT_DESCRIPTION },
    confirmWithin: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_CONFIRM_MINUTES,
      description: CONFIRM_DESCRIPTION,
    },
  },
};

/** Parses the terms in a query; see {@link changeQuery}. Throws `invalid_request`. */
export function changeTermsOf(query: URLSearchParams): ChangeTerms {
  const comment = parameterOf(query, 'comment') ?? null;
  if (comment !== null && Array.from(comment).length > MAX_COMMENT_LENGTH)
    throw queryProblem([parameterError('comment', `must have at most ${MAX_COMMENT_LENGTH} characters`)]);
  if (parameterOf(query, 'confirmWithin') === undefined) return { comment };
  const confirmWithin = numberParameterOf(query, {
    name: 'confirmWithin',
    preset: 0,
    min: 1,
    max: MAX_CONFIRM_MINUTES,
  });
  return { comment, confirmWithin };
}

/** Returns the note of a caller's change at a time, in milliseconds since 1970. */
export function changeNote(
  { principal }: Call,
  { comment, confirmWithin }: ChangeTerms,
  now: number,
): ChangeNote {
  const at = Math.floor(now);
  const reason = comment?.trim();
  return {
    by: authorOf(principal),
    at,
    ...(reason && { comment: reason }),
    ...(confirmWithin && { confirmBy: at + confirmWithin * 60_000 }),
  };
}

/** Returns what a change says about the pending change that it confirmed; empty if there was none, or if it waits itself. */
export function confirmedNote(pending: object | undefined, { confirmBy }: ChangeNote): string {
  return pending && confirmBy === undefined
    ? ' The earlier change that waited for its confirmation is confirmed.'
    : '';
}

/** Throws `invalid_request` if a change that creates a record is to be confirmed. */
export function requirePermanent(
  { confirmBy }: { readonly confirmBy?: number | undefined },
  why: string,
): void {
  if (confirmBy === undefined) return;
  const message = `must be absent: ${why}, and there is no state to return to`;
  throw new Problem('invalid_request', `/confirmWithin ${message}`, {
    errors: [{ pointer: '/confirmWithin', message }],
  });
}
