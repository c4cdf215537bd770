import type { HttpReply } from '../../core/http.js';
import { Problem } from '../../core/problem.js';

/**
 * Returns the Problem for a login with an unexpected status: refused, or temporarily impossible (429 and
 * 5xx).
 */
export function loginProblem(what: string, { status }: Pick<HttpReply, 'status'>, reason?: string): Problem {
  const notNow = status === 429 || status >= 500;
  const detail = `${what} was answered with status ${status}${reason === undefined ? '' : ` (${reason})`}`;
  return new Problem(notNow ? 'upstream_failed' : 'upstream_auth', detail);
}

/** Returns the Problem for a login that failed otherwise, usually because of the content of its reply. */
export function loginFailed(what: string, how: string): Problem {
  return new Problem('upstream_auth', `${what} ${how}`);
}

/**
 * Parses the JSON of a reply to a login; `undefined` if it is invalid. More lenient than elsewhere, because
 * the reply is not passed on.
 */
export function looseJson({ body }: Pick<HttpReply, 'body'>): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns a lifetime in seconds from a number or a numeric text; `undefined` otherwise. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,10}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}
