/** Pages that a sign-in may return to. Other paths are excluded, because a GET there may change something. */
const PLACES = ['/ui', '/docs', '/json-forms/task'];

/** Default path after a sign-in. */
const HOME = '/ui/';

/** Maximum length of the return path, in characters, because it must fit into a cookie. */
const RETURN_LENGTH = 1500;

/**
 * Returns the path and query to return to after a sign-in: the wanted path if it is a page of this server,
 * otherwise the console.
 */
export function returnPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > RETURN_LENGTH || !/^\/(?![/\\])[!-[\]-~]*$/.test(wanted)) return HOME;
  if (!URL.canParse(wanted, 'http://here.invalid')) return HOME;
  const { origin, pathname, search } = new URL(wanted, 'http://here.invalid');
  if (origin !== 'http://here.invalid' || pathname.includes('//')) return HOME;
  const path = pathname + search;
  // The normalized path may be longer than the wanted one.
  if (path.length > RETURN_LENGTH) return HOME;
  return PLACES.some((place) => `${pathname}/`.startsWith(`${place}/`)) ? path : HOME;
}

/** Parameters of the sign-in page. */
export interface SignInPageTerms {
  /** Reason for the last failure, in one word. */
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
