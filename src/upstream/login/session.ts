import type { HttpReply, HttpRequest } from '../../core/http.js';

/** What goes with a call so that the orchestrator knows us. */
export interface Credentials {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** `name=value`, percent-encoded, to be added to the query. */
  readonly parameter?: string;
}

/** A session that a login opened. */
export interface OpenedSession extends Credentials {
  /** How long it lives, in seconds; absent when nothing tells. */
  readonly lifeSeconds?: number;
}

/** A session in use. */
export interface Session extends Credentials {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly dueAt: number;
  readonly overAt: number;
  /** True once a call with it was not refused. */
  wasAccepted: boolean;
}

/** What a login works with. */
export interface LoginTools {
  /** Sends a request of the login under a deadline of its own. Throws the Problems of `HttpClient.send`. */
  readonly send: (request: HttpRequest) => Promise<HttpReply>;
  /** To be told every value that must not be printed, before anything is done with it. Throws when a login gives too much. */
  readonly keepSecret: (value: string) => void;
}

/**
 * Opens a session. Throws `upstream_auth` when the login was refused, `upstream_failed` when it cannot be done now, or
 * the Problems of `HttpClient.send`; never with a value of the session in the text.
 */
export type OpenSession = (tools: LoginTools) => Promise<OpenedSession>;
