import type { HttpReply } from '../../core/http.js';
import { Problem } from '../../core/problem.js';

/** The Problem for a login that was answered in another way than hoped: refused, or not possible now. */
export function loginProblem(what: string, { status }: Pick<HttpReply, 'status'>, reason?: string): Problem {
  const notNow = status === 429 || status >= 500;
  const detail = `${what} was answered with status ${status}${reason === undefined ? '' : ` (${reason})`}`;
  return new Problem(notNow ? 'upstream_failed' : 'upstream_auth', detail);
}

/** The Problem for a login that went wrong in another way, most often by what its reply holds. */
export function loginFailed(what: string, how: string): Problem {
  return new Problem('upstream_auth', `${what} ${how}`);
}

/** The JSON of a reply to a login; `undefined` when it is none. More lenient than elsewhere: nothing of it is passed on. */
export function looseJson({ body }: Pick<HttpReply, 'body'>): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Seconds of a life, from a number or from a text that is one; `undefined` for everything else. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,10}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}
