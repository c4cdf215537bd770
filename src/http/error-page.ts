import type { IncomingMessage } from 'node:http';
import { preferences } from '../core/header.js';
import { callerName, type Principal } from '../core/principal.js';
import type { Problem } from '../core/problem.js';
import { signInPage } from '../core/sign-in.js';
import { html, MINIMAL_PAGE_HEADERS, minimalPage, PAGE_TYPE } from './html.js';
import { type HttpResponse, sizedHeaders } from './response.js';

/** The properties of a request that decide between a page and a problem document. */
interface PageRequest {
  readonly req: IncomingMessage;
  readonly replyType?: string | undefined;
  /** The caller, if the request has a valid token. */
  readonly principal?: Principal | undefined;
}

/** Returns true if a person sees the response, because a browser navigates to a page. */
export function isForPerson({ req: { headers }, replyType }: PageRequest): boolean {
  if (replyType?.startsWith('text/html') !== true) return false;
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined && mode !== 'navigate') return false;
  return prefersHtml(headers.accept ?? '');
}

/** Returns true if an Accept header (RFC 9110 section 12.5.1) gives HTML at least the weight of JSON. */
function prefersHtml(accept: string): boolean {
  const weights = preferences(accept);
  const highestWeight = (matches: (type: string) => boolean): number =>
    Math.max(0, ...weights.filter(({ value }) => matches(value)).map(({ weight }) => weight));
  const htmlWeight = highestWeight((type) => type === 'text/html');
  return htmlWeight > 0 && htmlWeight >= highestWeight((type) => /^application\/(?:.*\+)?json$/.test(type));
}

/**
 * Creates the error response as a page. The page goes to the sign-in, which returns to it, or names the missing
 * role and the caller, and links to the sign-in page.
 */
export function errorPage(problem: Problem, request: PageRequest, requestId: string): HttpResponse {
  const { req, principal } = request;
  const target = withoutToken(req.url ?? '');
  const body = Buffer.from(
    problem.status === 401 ? signInRequiredPage(target, req) : forbiddenPage(target, problem, principal),
  );
  const headers = {
    ...sizedHeaders(PAGE_TYPE, body, requestId),
    ...MINIMAL_PAGE_HEADERS,
    ...problem.extras.headers,
    'content-type': PAGE_TYPE,
  };
  return { status: problem.status, headers, body, problem };
}

function signInRequiredPage(target: string, { headers }: PageRequest['req']): string {
  // The cookie is SameSite=Strict, so a request from a link on another site has no cookie. The refresh is a
  // request from this page, which has the cookie.
  const isForeignLink = ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
  const signIn = signInPage({ returnTo: target });
  // The sign-in page refuses frames: the person opens it by the link.
  const isFramed = ['iframe', 'frame'].includes(String(headers['sec-fetch-dest']));
  const refreshTo = isForeignLink ? target : isFramed ? undefined : signIn;
  return minimalPage({
    title: 'Sign in first',
    content: html`<p>This page requires a sign-in.</p>
      <p><a href="${signIn}">Sign in</a></p>`,
    ...(refreshTo !== undefined && { refreshTo }),
  });
}

/** Operation at the start of a detail: people see a page, and know no operations. */
const OPERATION = /^[\w-]+\.\w+(?= needs )/;

function forbiddenPage(target: string, { message }: Problem, principal: Principal | undefined): string {
  const caller =
    principal &&
    html`<dl>
      <dt>Signed in as</dt>
      <dd>${callerName(principal)}</dd>
      <dt>Your roles</dt>
      <dd>${principal.roles.length === 0 ? 'none' : principal.roles.join(', ')}</dd>
      </dl>`;
  return minimalPage({
    title: 'This page is not open to you',
    content: html`<p>${message.replace(OPERATION, `The page ${target.split('?', 1)[0]}`)}</p>
      ${caller}
      <p>Ask an administrator for one of the roles that the page needs.</p>
      <p><a href="${signInPage({ returnTo: target, prompt: 'login' })}">Sign in with another account</a></p>`,
  });
}

/** Removes the token from a target, because an invalid token must not appear in a page. */
function withoutToken(target: string): string {
  const at = target.indexOf('?');
  if (at < 0) return target;
  const remaining = target
    .slice(at + 1)
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('token'));
  return target.slice(0, at) + (remaining.length > 0 ? `?${remaining.join('&')}` : '');
}
