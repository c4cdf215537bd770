/** A reply of an orchestrator. Texts may contain `{token}` and `{xsrf}` of the session. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request of a login, compared exactly, and its reply. */
export interface LoginRequest {
  /** Method and target. */
  readonly request: string;
  /** Lower-case names; values may hold `{token}` of the session that an earlier request opened. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly gives: Answer;
  readonly refuses: Answer;
}

/** The login of one kind of orchestrator, as in its public documentation. */
export interface OrchestratorDefinition {
  /** Name of the example, without `.yaml`. */
  readonly example: string;
  readonly secret: string;
  /** Requests of a login, in order; empty if each call carries the credentials. */
  readonly login: readonly LoginRequest[];
  /** Headers that a call must have; of `authorization` and `cookie` it must have no others. */
  readonly carries: Readonly<Record<string, string>>;
  /** Replies to calls without a session; several if releases differ. */
  readonly endings: readonly [Answer, ...Answer[]];
  /** Target that the health path leads to. */
  readonly health?: string;
  /** Path of a query and of an action, as a caller writes them. */
  readonly path: string;
  /** Target that the path leads to, if it differs from the path. */
  readonly target?: string;
}

/** Value of an `Authorization` header for HTTP Basic. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

export function json(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
