import type { HttpReply, HttpRequest } from '../../core/http.js';
import { Problem } from '../../core/problem.js';
import { withoutByteOrderMark } from '../../json/byte-order-mark.js';
import { hasMoreValues } from '../../json/json-size.js';

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
  readonly renewAt: number;
  readonly expiresAt: number;
  /** True after a call with this session was accepted. */
  wasAccepted: boolean;
}

/** Functions that a login needs. */
export interface LoginTools {
  /** Sends a request of the login with a separate deadline. Throws the Problems of `HttpClient.send`. */
  readonly send: (request: HttpRequest) => Promise<HttpReply>;
  /** Registers a secret value before its first use. Throws when a login yields too many secrets. */
  readonly maskSecret: (value: string) => void;
}

/**
 * Opens a session. Throws `upstream_auth` when the login was refused, `upstream_failed` when it is
 * temporarily impossible, or the Problems of `HttpClient.send`; error texts never contain values of the
 * session.
 */
export type OpenSession = (tools: LoginTools) => Promise<OpenedSession>;

/**
 * Returns the Problem for a login with an unexpected status: refused, or temporarily impossible (429 and
 * 5xx).
 */
export function loginStatusProblem(subject: string, { status }: HttpReply, reason?: string): Problem {
  const isTemporary = status === 429 || status >= 500;
  const detail = `${subject} was answered with status ${status}${reason === undefined ? '' : ` (${reason})`}`;
  return new Problem(isTemporary ? 'upstream_failed' : 'upstream_auth', detail, { isUnsent: true });
}

/** Returns the Problem for a login that failed for another reason, usually the content of its reply. */
export function loginFailure(subject: string, fault: string): Problem {
  return new Problem('upstream_auth', `${subject} ${fault}`, { isUnsent: true });
}

/** Maximum number of members and elements in the JSON of a reply to a login. */
const MAX_VALUES = 20_000;

/**
 * Parses the JSON of a reply to a login; `undefined` if it is invalid, or has so many members that parsing would delay
 * others. Accepts JSON that the parser for forwarded replies rejects, because this reply is not forwarded.
 */
export function parseReplyJson({ body }: Pick<HttpReply, 'body'>): unknown {
  if (hasMoreValues(body, MAX_VALUES)) return undefined;
  try {
    return JSON.parse(withoutByteOrderMark(body).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns a lifetime in seconds from a number or a numeric text; `undefined` otherwise. */
export function lifetimeSecondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,10}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}
