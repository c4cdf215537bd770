import { errorMessage } from '../../../src/lib/error-message.js';

/** An error in the request, with its position. */
export interface ProblemError {
  /** RFC 6901 pointer into the body. */
  readonly pointer: string;
  readonly message: string;
}

/** Status and body of an orchestrator; a body that is not JSON is a text. */
interface UpstreamAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Code of a request that the server refused because the session has ended. */
export const SESSION_ENDED = 'session_ended';

/**
 * A failed request: the problem details of the server (RFC 9457), or the browser's error if there was no
 * response.
 */
export class ApiProblem extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /**
   * Codes are listed in docs/reference/problems.md; `unreachable` if there was no response, `page` for an error
   * in the page itself, and {@link SESSION_ENDED}.
   */
  readonly code: string;
  /** Recommended next step. */
  readonly recommendation: string | undefined;
  readonly requestId: string | undefined;
  readonly errors: readonly ProblemError[];
  /** Reply of the orchestrator, if it refused the call or failed. */
  readonly upstream: UpstreamAnswer | undefined;

  constructor(status: number, document: Readonly<Record<string, unknown>>) {
    super(textOf(document['detail']) ?? textOf(document['title']) ?? `The server returned status ${status}.`);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = textOf(document['code']) ?? 'unknown';
    this.recommendation = textOf(document['recommendation']);
    this.requestId = textOf(document['requestId']);
    this.upstream = upstreamOf(document['upstream']);
    this.errors = Array.isArray(document['errors']) ? (document['errors'] as readonly ProblemError[]) : [];
  }
}

/**
 * Converts any thrown value to a problem. Errors that do not come from a response get the code `page` and
 * their own message.
 */
export function problemOf(error: unknown): ApiProblem {
  return error instanceof ApiProblem
    ? error
    : new ApiProblem(0, { code: 'page', detail: errorMessage(error) });
}

/** Creates the problem for a request without a response. */
export function unreachable(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  return new ApiProblem(0, {
    code: 'unreachable',
    detail: `The server did not respond: ${errorMessage(error)}`,
    recommendation: 'Check the connection, and try again.',
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function upstreamOf(value: unknown): UpstreamAnswer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { status, body } = value as Readonly<Record<string, unknown>>;
  return typeof status === 'number' ? { status, body } : undefined;
}
