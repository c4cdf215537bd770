import { type ProblemCode, PROBLEMS } from './problem-codes.js';

/** One error in a request: its location (RFC 6901 JSON pointer) and a message. */
export interface RequestError {
  readonly pointer: string;
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
  /** Reply of the orchestrator: its status, and its body as JSON or text. */
  readonly upstream?: { readonly status: number; readonly body: unknown };
  /** Internal error, for the log only. */
  readonly cause?: unknown;
  readonly headers?: ProblemHeaders;
  /** Next step of the caller for this cause, instead of the recommendation of the code. */
  readonly advice?: string;
  /** Outcome for the audit record instead of the code. Never a secret. */
  readonly outcome?: string;
  /** Error code of OAuth 2.0 (RFC 6749 section 5.2). */
  readonly error?: string;
}

/**
 * An error that the caller may see. Any other error is a bug: the response is `internal`, and the log
 * contains the details.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = extras.status ?? PROBLEMS[code].status;
    this.extras = extras;
  }
}

/** Returns the next step for the operator of a cause with advice; `undefined` without advice. */
export function operatorAdvice({ extras: { advice } }: Problem): string | undefined {
  return advice?.replace(/^Ask the operator to (.)/, (_prefix, first: string) => first.toUpperCase());
}

/**
 * Returns the body of an error response, `application/problem+json` (RFC 9457). `message` repeats `detail`
 * for existing clients. It is the first member, because `ipctl` and Ansible print the body as it is.
 */
export function problemDocument(
  problem: Problem,
  instance: string,
  requestId: string,
): Record<string, unknown> {
  const { title, recommendation } = PROBLEMS[problem.code];
  const { advice = recommendation, error, errors, upstream } = problem.extras;
  return {
    message: problem.message,
    code: problem.code,
    type: `urn:gatehouse:problem:${problem.code}`,
    title,
    status: problem.status,
    detail: problem.message,
    instance,
    requestId,
    ...(error !== undefined && { error }),
    ...(errors && { errors }),
    ...(upstream && { upstream }),
    recommendation: advice,
  };
}
