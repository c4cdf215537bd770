import { hasBrand, setBrand } from './brand.js';
import type { CallerIdentity } from './principal.js';
import { type ProblemCode, PROBLEMS } from './problem-codes.js';
import type { Hop } from './transport-failure.js';

/** One error in a request: its location (RFC 6901 JSON pointer) and a message. */
export interface RequestError {
  /** RFC 6901 JSON pointer into the request. */
  readonly pointer: string;
  /** Phrase that follows the pointer, for example `is missing`. */
  readonly message: string;
}

/** Returns the end of a sentence that names the first of several errors; an empty text if it is the only one. */
export function andMoreErrors(others: number): string {
  return others > 0 ? ` (and ${others} more ${others === 1 ? 'error' : 'errors'})` : '';
}

/** Headers of an error response by lower-case name; a repeated header has a list of values. */
export type ProblemHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Optional data of a {@link Problem}. */
export interface ProblemExtras {
  /** Only for codes whose status depends on the upstream (`upstream_rejected`). */
  readonly status?: number;
  readonly errors?: readonly RequestError[];
  /** Reply of the orchestrator: its status, the target of a redirect, and its body as JSON or text. */
  readonly upstream?: { readonly status: number; readonly location?: string; readonly body: unknown };
  /** Internal error, for the log only. */
  readonly cause?: unknown;
  readonly headers?: ProblemHeaders;
  /** Next step of the caller for this cause, instead of the recommendation of the code. */
  readonly advice?: string;
  /** Outcome for the audit record instead of the code. Never a secret. */
  readonly outcome?: string;
  /** Why the orchestrator refused the call, for the audit record and the access line. */
  readonly reason?: string;
  /** State before and after the failed call, of which the audit record contains only digests. */
  readonly change?: { readonly before?: unknown; readonly after?: unknown };
  /** Caller whom a public operation had identified before it failed, for the audit record. */
  readonly caller?: CallerIdentity | undefined;
  /** Name of a failed sign-in, for the audit record: of an account, or the digest of the name that was sent. */
  readonly callerName?: string;
  /** True for a failure that says nothing about the orchestrator: its health and its circuit breaker ignore it. */
  readonly isInconclusive?: boolean;
  /** True for a failure before any request of the call was sent: the call may be sent again, also if it changes something. */
  readonly isUnsent?: boolean;
  /** Hop of the connection that failed. */
  readonly hop?: Hop;
  /** Error code of OAuth 2.0 (RFC 6749 section 5.2). */
  readonly error?: string;
}

const PROBLEM = Symbol.for('gatehouse.Problem');

/**
 * An error that the caller may see. Any other error is a bug: the response is `internal`, and the log
 * contains the details. `instanceof` also holds for a Problem of another copy of this module, if its code is known.
 *
 * @example
 * ```ts
 * throw new Problem('upstream_bad_reply', 'The controller sent no token.');
 * ```
 */
export class Problem extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasBrand(value, PROBLEM) && Object.hasOwn(PROBLEMS, (value as Problem).code);
  }

  readonly code: ProblemCode;
  readonly status: number;
  readonly extras: ProblemExtras;

  /** Creates a Problem. `detail` says what happened to which object, without secrets. */
  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = extras.status ?? PROBLEMS[code].status;
    this.extras = extras;
  }
}

setBrand(Problem.prototype, PROBLEM);

/** Returns a copy of a Problem with more extras, and with another detail if one is given. */
export function withExtras(
  { code, message, extras }: Problem,
  more: ProblemExtras,
  detail = message,
): Problem {
  return new Problem(code, detail, { ...extras, ...more });
}

/** Words before the steps of an operator in advice for callers. */
const ASKING = 'Ask the operator to ';

/** Returns the next step for the operator of a cause with advice; `undefined` without advice. */
export function operatorAdvice({ extras: { advice } }: Problem): string | undefined {
  if (!advice?.startsWith(ASKING)) return advice;
  const steps = advice.slice(ASKING.length).replaceAll(/\b(or|and) to (?=[a-z])/g, '$1 ');
  return steps.charAt(0).toUpperCase() + steps.slice(1);
}

/** Returns the detail of a Problem with the next step for the operator, if the Problem has advice. */
export function withAdvice(problem: Problem): string {
  const advice = operatorAdvice(problem);
  return advice === undefined ? problem.message : `${problem.message.replace(/\.$/, '')}. ${advice}`;
}

/**
 * Returns the Problem of an orchestrator that refused the credentials, at the start of the adapter, at its login or at a call.
 * Rethrows every other error.
 */
export function refusalOf(error: unknown): Problem {
  const isRefusal = (cause: unknown): boolean => cause instanceof Problem && cause.code === 'upstream_auth';
  if (error instanceof Problem && (isRefusal(error) || isRefusal(error.cause))) return error;
  throw error;
}

/** Returns the detail for an orchestrator that refuses the credentials of an adapter; `answer` says how it answered. */
export function refusedCredentials(answer: string): string {
  return `credentials refused: the orchestrator ${answer}`;
}
