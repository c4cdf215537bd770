import type { RequestHead } from './login.js';
import { Problem } from './problem.js';

/**
 * Header that the pages of this server send with every change. Pages of other sites cannot send it without
 * permission.
 */
export const CSRF_HEADER = 'x-gatehouse-csrf';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns false if a browser reports that a page of another site sent the request. Over plain HTTP to another
 * machine, browsers omit Sec-Fetch-Site and send Origin.
 */
export function isOwnPage({ header }: Pick<RequestHead, 'header'>): boolean {
  const site = header('sec-fetch-site');
  return site === undefined ? isOwnOrigin(header) : ['same-origin', 'none'].includes(site);
}

/**
 * Throws `csrf_refused` for a browser's request that may change something and lacks the header of our pages.
 * Programs send neither Sec-Fetch-Site nor Origin, and do not need the header.
 */
export function requireMark({ method, changes, header }: Omit<RequestHead, 'target' | 'address'>): void {
  const isBrowser = header('sec-fetch-site') !== undefined || header('origin') !== undefined;
  const isSafe = SAFE_METHODS.has(method) && changes !== true;
  if (isSafe || !isBrowser || header(CSRF_HEADER) === '1') return;
  throw new Problem(
    'csrf_refused',
    `A browser that shows a cookie sends the header ${CSRF_HEADER}: 1 with each ${method}.`,
  );
}

/** Makes both checks, for public operations that set a cookie. Throws `csrf_refused`. */
export function requireOwnPage(head: Pick<RequestHead, 'header' | 'method'>): void {
  if (!isOwnPage(head)) throw new Problem('csrf_refused', 'A page of another site sent it.');
  requireMark(head);
}

function isOwnOrigin(header: RequestHead['header']): boolean {
  const origin = header('origin');
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === header('host')?.toLowerCase();
}
