import type { HttpReply, HttpRequest } from '../../core/http.js';

/** Credentials that authenticate a call to the orchestrator. */
export interface Credentials {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** `name=value`, percent-encoded, appended to the query. */
  readonly parameter?: string;
}

/** A session as opened by a login. */
export interface OpenedSession extends Credentials {
  /** Lifetime in seconds; absent if unknown. */
  readonly lifeSeconds?: number;
}

/** A session in use. */
export interface Session extends Credentials {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly dueAt: number;
  readonly overAt: number;
  /** True after a call with this session was accepted. */
  wasAccepted: boolean;
}

/** Functions that a login needs. */
export interface LoginTools {
  /** Sends a request of the login with a separate deadline. Throws the Problems of `HttpClient.send`. */
  readonly send: (request: HttpRequest) => Promise<HttpReply>;
  /** Registers a secret value before its first use. Throws when a login yields too many secrets. */
  readonly keepSecret: (value: string) => void;
}

/**
 * Opens a session. Throws `upstream_auth` when the login was refused, `upstream_failed` when it is
 * temporarily impossible, or the Problems of `HttpClient.send`; error texts never contain values of the
 * session.
 */
export type OpenSession = (tools: LoginTools) => Promise<OpenedSession>;
