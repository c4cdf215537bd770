/** Paths that a sign-in may return to. Other paths are excluded, because their GET may change state. */
const PAGE_PATHS = ['/ui', '/docs', '/json-forms/task'];

/** Default path after a sign-in. */
const CONSOLE_PATH = '/ui/';

/** Maximum length of the return path, in characters. The path must fit into a cookie. */
const MAX_RETURN_LENGTH = 1500;

/**
 * Returns the path and query to return to after a sign-in. This is the wanted path if it belongs to a page of
 * this server, otherwise the console.
 */
export function returnPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > MAX_RETURN_LENGTH || !/^\/(?![/\\])[!-[\]-~]*$/.test(wanted))
    return CONSOLE_PATH;
  if (!URL.canParse(wanted, 'http://here.invalid')) return CONSOLE_PATH;
  const { origin, pathname, search } = new URL(wanted, 'http://here.invalid');
  if (origin !== 'http://here.invalid' || pathname.includes('//')) return CONSOLE_PATH;
  const path = pathname + search;
  // The normalized path may be longer than the wanted path.
  if (path.length > MAX_RETURN_LENGTH) return CONSOLE_PATH;
  return PAGE_PATHS.some((pagePath) => `${pathname}/`.startsWith(`${pagePath}/`)) ? path : CONSOLE_PATH;
}

/** Parameters of the sign-in page. */
export interface SignInPageTerms {
  /** Reason for the last failed sign-in. */
  readonly problem?: string;
  /** Path to return to; absent: the console. */
  readonly returnTo?: string;
}

/** Returns the path and query of the sign-in page. */
export function signInPage({ problem, returnTo }: SignInPageTerms = {}): string {
  const query = new URLSearchParams({
    ...(problem !== undefined && { problem }),
    ...(returnTo !== undefined && { return: returnTo }),
  }).toString();
  return `/ui/sign-in${query === '' ? '' : `?${query}`}`;
}
