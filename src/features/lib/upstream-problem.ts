import type { Adapter, UpstreamReply } from '../../core/adapter.js';
import { upstreamErrorOf } from '../../core/decode-reply.js';
import { Problem } from '../../core/problem.js';
import { upstreamErrorKind } from '../../core/transport-failure.js';
import { explainReply, reasonOf } from './explain-reply.js';

/** Creates the Problem for a query that the orchestrator did not answer with data (wire decision 2). */
export function upstreamProblem(adapter: Adapter, reply: UpstreamReply, redirect?: Redirect): Problem {
  const explanation = explainReply(adapter, reply);
  const { code, status } = upstreamErrorKind(reply.status);
  const location = reply.status < 400 ? redirect?.location : undefined;
  return new Problem(code, explanation?.detail ?? `the orchestrator answered ${reply.status}`, {
    status,
    ...(explanation?.errors && { errors: explanation.errors }),
    ...(explanation && { reason: reasonOf(explanation) }),
    ...(redirect && typeof location === 'string' && { advice: redirectAdvice(redirect.path, location) }),
    upstream: {
      status: reply.status,
      ...(typeof location === 'string' && { location }),
      body: upstreamErrorOf(reply),
    },
  });
}

/** A redirect: the path of the call, and the header Location as the caller may see it. */
interface Redirect {
  readonly path: string;
  readonly location: string | readonly string[] | undefined;
}

/**
 * Returns what the caller of a redirected call can do. A location below the base URL of the adapter is a path. gatehouse follows
 * no redirect, because it would send a change or credentials to another place.
 */
function redirectAdvice(path: string, location: string): string {
  const [from, to] = [withoutQuery(path), withoutQuery(location)];
  if (to === `${from}/`) return 'Write a slash at the end of the path, before the query.';
  if (from === `${to}/`) return 'Leave out the slash at the end of the path.';
  if (location.startsWith('/') && !location.startsWith('//'))
    return 'Use the path in "location" of "upstream", to which the orchestrator redirects.';
  return 'Ask the operator to correct baseUrl of the adapter, because the orchestrator redirects to the address in "location" of "upstream".';
}

function withoutQuery(location: string): string {
  return location.replace(/[?#].*$/s, '');
}
