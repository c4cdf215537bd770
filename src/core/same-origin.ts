import { isSafeMethod } from './http.js';
import type { RequestHead, RequestHeaders } from './login.js';
import { Problem } from './problem.js';

/**
 * Header that the pages of this server send with every change. Pages of other sites cannot send this header
 * without permission (CORS).
 */
export const CSRF_HEADER = 'x-gatehouse-csrf';

/** Description of the header {@link CSRF_HEADER} for the API description. */
export const CSRF_REQUEST_HEADER = {
  [CSRF_HEADER]: 'Always `1`; only browsers must send it, and programs need not',
} as const;

/**
 * Returns false if a browser reports that a page of another site sent the request. Uses Sec-Fetch-Site, or
 * Origin if Sec-Fetch-Site is missing, as over plain HTTP to another machine.
 */
export function isOwnPage({ header }: RequestHeaders): boolean {
  const site = header('sec-fetch-site');
  return site === undefined ? isOwnOrigin(header) : ['same-origin', 'none'].includes(site);
}

/**
 * Returns true for a request of a browser. A browser that is older than Sec-Fetch-Site is recognized only for
 * changes. Programs send neither header.
 */
export function isBrowserRequest({ header }: RequestHeaders): boolean {
  return header('sec-fetch-site') !== undefined || header('origin') !== undefined;
}

/**
 * Throws `csrf_refused` for a change from a browser without {@link CSRF_HEADER}. Programs send neither
 * Sec-Fetch-Site nor Origin, and do not need the header.
 */
export function requireMark({ method, changes, header }: Omit<RequestHead, 'target' | 'address'>): void {
  const isSafe = isSafeMethod(method) && changes !== true;
  if (isSafe || !isBrowserRequest({ header }) || header(CSRF_HEADER) === '1') return;
  throw new Problem('csrf_refused', `A ${method} from a browser must have the header ${CSRF_HEADER}: 1.`);
}

/**
 * Checks {@link isOwnPage} and {@link requireMark}, for public operations that set a cookie. Throws
 * `csrf_refused`.
 */
export function requireOwnPage(head: Pick<RequestHead, 'header' | 'method'>): void {
  if (!isOwnPage(head)) throw new Problem('csrf_refused', 'A page of another site sent the request.');
  requireMark(head);
}

function isOwnOrigin(header: RequestHead['header']): boolean {
  const origin = header('origin');
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === header('host')?.toLowerCase();
}
