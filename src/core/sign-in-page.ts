/** The pages of this server: what a sign-in may lead back to. Elsewhere a GET may change something. */
const PLACES = ['/ui', '/docs', '/json-forms/task'];

/** Where one goes on without a better place. */
const HOME = '/ui/';

/** Longest way back, in characters: it has to fit into a cookie. */
const RETURN_LENGTH = 1500;

/** A path with its query at which a sign-in may end: what was wished for when it is a page of this server, else the console. */
export function returnPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > RETURN_LENGTH || !/^\/(?![/\\])[!-[\]-~]*$/.test(wanted)) return HOME;
  if (!URL.canParse(wanted, 'http://here.invalid')) return HOME;
  const { origin, pathname, search } = new URL(wanted, 'http://here.invalid');
  if (origin !== 'http://here.invalid' || pathname.includes('//')) return HOME;
  const path = pathname + search;
  // What was wished for may be longer once it is written as browsers do.
  if (path.length > RETURN_LENGTH) return HOME;
  return PLACES.some((place) => `${pathname}/`.startsWith(`${place}/`)) ? path : HOME;
}

/** What the page for signing in is told. */
export interface SignInPageTerms {
  /** Why the last attempt failed, in one word. */
  readonly problem?: string;
  /** Where to go on; absent: at the console. */
  readonly returnTo?: string;
}

/** Path and query of the page at which people sign in. */
export function signInPage({ problem, returnTo }: SignInPageTerms = {}): string {
  const query = new URLSearchParams({
    ...(problem !== undefined && { problem }),
    ...(returnTo !== undefined && { return: returnTo }),
  }).toString();
  return `/ui/sign-in${query === '' ? '' : `?${query}`}`;
}
