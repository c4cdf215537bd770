import type { IncomingMessage } from 'node:http';
import { MINIMAL_PAGE_HEADERS, minimalPage, PAGE_TYPE } from '../core/minimal-page.js';
import { html } from '../core/html.js';
import type { Problem } from '../core/problem.js';
import { signInPage } from '../core/sign-in-page.js';
import { type HttpResponse, sizedHeaders } from './response.js';

/** Media type of the operation's answers, and who asks. */
export interface PageRequest {
  readonly req: Pick<IncomingMessage, 'headers' | 'url'>;
  readonly replyType?: string | undefined;
}

/** True where a person would be looking at the answer: a page was asked for by a browser that goes to it. */
export function isForPerson({ req: { headers }, replyType }: PageRequest): boolean {
  if (replyType?.startsWith('text/html') !== true) return false;
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined && mode !== 'navigate') return false;
  return prefersHtml(headers.accept ?? '');
}

/** True for an Accept header (RFC 9110 section 12.5.1) that names HTML, and no JSON that would be better. */
function prefersHtml(accept: string): boolean {
  const weights = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .map(([type = '', ...parameters]) => ({ type, weight: weightOf(parameters) }));
  const best = (matches: (type: string) => boolean): number =>
    Math.max(0, ...weights.filter(({ type }) => matches(type)).map(({ weight }) => weight));
  const html = best((type) => type === 'text/html');
  return html > 0 && html >= best((type) => /^application\/(?:.*\+)?json$/.test(type));
}

function weightOf(parameters: readonly string[]): number {
  const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
  return Number.isNaN(weight) ? 0 : weight;
}

/** The answer of a refusal as a page for people: who has to sign in, or which role is missing; with the way to sign in. */
export function errorPage(problem: Problem, { req }: PageRequest, requestId: string): HttpResponse {
  const target = withoutToken(req.url ?? '');
  const bytes = Buffer.from(problem.status === 401 ? signInFirst(target, req) : notOpen(target, problem));
  const headers = {
    ...sizedHeaders(PAGE_TYPE, bytes, requestId),
    ...MINIMAL_PAGE_HEADERS,
    ...problem.extras.headers,
    'content-type': PAGE_TYPE,
  };
  return { status: problem.status, headers, bytes, problem };
}

function signInFirst(target: string, { headers }: PageRequest['req']): string {
  // A link on another site leaves the cookie out, which is SameSite=Strict: asked for by a page of ours, it comes along.
  const isForeignLink = ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
  return minimalPage({
    title: 'Sign in first',
    content: html`<p>This page is for people who have signed in.</p>
      <p><a href="${signInPage({ returnTo: target })}">Sign in</a></p>`,
    ...(isForeignLink && { goOn: target }),
  });
}

function notOpen(target: string, { message }: Problem): string {
  return minimalPage({
    title: 'This page is not open to you',
    content: html`<p>${message}</p>
      <p><a href="${signInPage({ returnTo: target })}">Sign in as somebody else</a></p>`,
  });
}

/** A token in the query was no good, and belongs in no page. */
function withoutToken(target: string): string {
  const at = target.indexOf('?');
  if (at < 0) return target;
  const kept = target
    .slice(at + 1)
    .split('&')
    .filter((pair) => !new URLSearchParams(pair).has('token'));
  return target.slice(0, at) + (kept.length > 0 ? `?${kept.join('&')}` : '');
}
