import { headerOf, type UpstreamReply } from '../../core/adapter.js';
import { Problem } from '../../core/problem.js';
import type { LoginAuth } from '../adapter-auth.js';

/**
 * Makes a function that gives the status by which a reply says that the session is over, `undefined` when it does not. A
 * login page in the place of an answer counts as 401: it concerns the session, never one call alone.
 */
export function sessionOver(auth: LoginAuth): (reply: UpstreamReply) => number | undefined {
  const { refreshOn, loginPage } = auth.type === 'login' ? auth : { refreshOn: [401], loginPage: null };
  return (reply) => {
    if (refreshOn.includes(reply.status)) return reply.status;
    return loginPage !== null && isLoginPage(reply, loginPage) ? 401 : undefined;
  };
}

/** Data may hold the same text, so only HTML is looked at. */
function isLoginPage({ status, headers, body }: UpstreamReply, text: string): boolean {
  const isHtml = /^text\/html\b/i.test(headerOf(headers, 'content-type') ?? '');
  return status < 300 && isHtml && body.includes(text);
}

/** Gives a refusal to the caller. Throws `upstream_auth` for one that would pass for an answer: a page, or a redirect to it. */
export function passthroughHeaders(refusal: UpstreamReply): UpstreamReply {
  if (refusal.status >= 400) return refusal;
  const detail = `the orchestrator answered with its login page (status ${refusal.status}): the adapter's session is over`;
  throw new Problem('upstream_auth', detail);
}
