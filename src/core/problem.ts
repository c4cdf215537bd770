import { type ProblemCode, PROBLEMS } from './problem-codes.js';

/** One fault inside a request: where it stands (RFC 6901 JSON pointer) and what is wrong there. */
export interface RequestError {
  readonly pointer: string;
  readonly message: string;
}

/** What a {@link Problem} may carry beyond its code and detail. */
export interface ProblemExtras {
  /** Only for codes whose status follows the upstream's (`upstream_rejected`). */
  readonly status?: number;
  readonly errors?: readonly RequestError[];
  /** What the orchestrator answered: its status, and its body as JSON or text. */
  readonly upstream?: { readonly status: number; readonly body: unknown };
  /** The inner error, for the log only. */
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the audit record says in place of the code. Never a secret. */
  readonly outcome?: string;
  /** Error word of OAuth 2.0 (RFC 6749 section 5.2). */
  readonly error?: string;
}

/** A failure that the caller may see. Anything else that is thrown is a bug: answered as `internal`, logged in full. */
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

/** The body of an error answer, `application/problem+json` (RFC 9457); `message` repeats `detail` for clients in the field. */
export function problemDocument(
  problem: Problem,
  instance: string,
  requestId: string,
): Record<string, unknown> {
  const { title, recommendation } = PROBLEMS[problem.code];
  const { error, errors, upstream } = problem.extras;
  return {
    type: `urn:gatehouse:problem:${problem.code}`,
    title,
    status: problem.status,
    detail: problem.message,
    instance,
    code: problem.code,
    message: problem.message,
    requestId,
    ...(error !== undefined && { error }),
    ...(errors && { errors }),
    ...(upstream && { upstream }),
    recommendation,
  };
}
