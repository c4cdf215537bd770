/** One fault of what was sent: where, and what. */
export interface ProblemError {
  /** RFC 6901 pointer into the body. */
  readonly pointer: string;
  readonly message: string;
}

/** Why a request failed, as the server tells it (RFC 9457), or as the browser does when no answer came. */
export class ApiProblem extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** As in docs/guides/calling.md; `unreachable` when no answer came, `page` when the page itself is at fault. */
  readonly code: string;
  /** What to do next. */
  readonly recommendation: string | undefined;
  readonly requestId: string | undefined;
  readonly errors: readonly ProblemError[];

  constructor(status: number, document: Readonly<Record<string, unknown>>) {
    super(textOf(document['detail']) ?? textOf(document['title']) ?? `The server answered ${status}.`);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = textOf(document['code']) ?? 'unknown';
    this.recommendation = textOf(document['recommendation']);
    this.requestId = textOf(document['requestId']);
    this.errors = Array.isArray(document['errors']) ? (document['errors'] as readonly ProblemError[]) : [];
  }
}

/** What to tell of anything that was thrown: what no answer says is told by the error itself. */
export function problemOf(error: unknown): ApiProblem {
  return error instanceof ApiProblem ? error : new ApiProblem(0, { code: 'page', detail: messageOf(error) });
}

/** What to tell when no answer came. */
export function unreachable(error: unknown): ApiProblem {
  return new ApiProblem(0, {
    code: 'unreachable',
    detail: `The server did not answer: ${messageOf(error)}`,
    recommendation: 'Check the connection, and try again.',
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
